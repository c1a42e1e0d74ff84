#include "findings/trace_evidence.h"

#include "findings/thresholds.h"

#include <algorithm>

namespace debrief::findings {

bool shows_next_to_nothing(const result::Traces& traces) {
  double busy_us = 0;
  for (const result::GpuActivity& gpu : traces.gpus)
    busy_us += gpu.busy_us;
  return busy_us < thresholds::kMinTracedWork &&
         std::all_of(traces.files.begin(), traces.files.end(), [](const result::TraceFile& file) {
           return file.step_source == result::StepSource::none;
         });
}

SetupTime setup_time(const result::Traces& traces) {
  SetupTime out;
  for (const result::SyncRow& row : traces.setup)
    out.setup += row.us / 1e6;
  for (const result::ProcessBreakdown& process : traces.processes)
    out.profiled += process.us / 1e6;
  out.setup = std::min(out.setup, out.profiled); // threads do so side by side
  return out;
}

bool is_launch_bound(const result::Traces& traces) {
  if (traces.launches.empty() || shows_setup(traces)) return false;
  double rest = 0; // of the idle time: what no other cause explains
  double late = 0;
  for (const result::GpuActivity& gpu : traces.gpus) {
    const double told =
        gpu.setup_wait_us + gpu.copy_wait_us + gpu.host_sync_us + gpu.outside_wait_us;
    rest += std::max(0.0, gpu.idle_us - told);
    late += std::max(0.0, gpu.host_wait_us - told);
  }
  return rest > 0 && late > thresholds::kMostlyLate * rest;
}

bool shows_setup(const result::Traces& traces) {
  const SetupTime time = setup_time(traces);
  return traces.steps.size() <= thresholds::kSetupSteps && time.profiled > 0 &&
         time.setup >= thresholds::kMostlySetup * time.profiled;
}

} // namespace debrief::findings
