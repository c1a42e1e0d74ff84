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

std::optional<double> code_outside_pytorch(const result::Traces& traces) {
  double all = 0;
  double launching = 0;
  double outside = 0;
  for (const result::ProcessBreakdown& process : traces.processes) {
    all += process.us;
    for (const result::StepPart& part : process.parts) {
      if (part.part == "other") outside += part.us;
      if (part.part == "runtime" || part.part == "CPU operators") launching += part.us;
    }
  }
  return launching > 0 && outside > launching ? std::optional{outside / all} : std::nullopt;
}

bool shows_setup(const result::Traces& traces) {
  const SetupTime time = setup_time(traces);
  return traces.steps.size() <= thresholds::kSetupSteps && time.profiled > 0 &&
         time.setup >= thresholds::kMostlySetup * time.profiled;
}

} // namespace debrief::findings
