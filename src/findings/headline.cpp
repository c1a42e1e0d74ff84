#include "findings/headline.h"

#include "aggregate/statistics.h"
#include "findings/memory_series.h"
#include "result/step_time.h"
#include "util/sort_runs.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace debrief::findings {

namespace {

/// Starts of all steps of the process that made the most, by time; of any mode.
std::vector<Microseconds> starts_of_busiest(std::span<const aggregate::StepSeries> steps) {
  std::map<std::string, std::size_t> counts; // by process
  for (const aggregate::StepSeries& series : steps)
    if (series.mode != result::kProfiledMode)
      counts[series.process] += static_cast<std::size_t>(
          std::count_if(series.steps.begin(), series.steps.end(),
                        [](const aggregate::Step& step) { return step.clock_known; }));
  const auto most =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  std::vector<Microseconds> starts;
  if (most == counts.end()) return starts;
  starts.reserve(most->second);
  for (const aggregate::StepSeries& series : steps)
    if (series.mode != result::kProfiledMode && series.process == most->first)
      for (const aggregate::Step& step : series.steps)
        if (step.clock_known) starts.push_back(step.span.first);
  sort_runs(starts.begin(), starts.end(), std::less<>{});
  return starts;
}

std::optional<result::IterationTimes> iteration_of(const result::Result& result,
                                                   std::span<const aggregate::StepSeries> steps) {
  if (const auto mean = result::seconds_per_step(result)) {
    result::IterationTimes out;
    out.mean = *mean;
    const std::vector<Microseconds> starts = starts_of_busiest(steps);
    std::vector<double> seconds;
    for (std::size_t at = 1; at < starts.size(); ++at)
      seconds.push_back(in_seconds(starts[at] - starts[at - 1]));
    out.count = std::ssize(seconds);
    if (!seconds.empty()) {
      const std::vector<double> found = aggregate::quantiles(seconds, std::array{0.5, 0.95});
      out.p50 = found[0];
      out.p95 = found[1];
    }
    return out;
  }
  // A profiled step is marked from one call of the profiler to the next: with the wait in it.
  const result::StepRow* row = training_steps(result);
  if (row == nullptr || row->mode != result::kProfiledMode) return std::nullopt;
  return result::IterationTimes{row->mean, row->p50, row->p95, row->count, true};
}

/// Bytes of a GPU, where all that were described have the same.
std::optional<std::int64_t> capacity_of(const result::Traces& traces) {
  std::optional<std::int64_t> capacity;
  for (const result::TraceFile& file : traces.files)
    for (const result::TracedGpu& gpu : file.gpus) {
      if (!gpu.memory || (capacity && *capacity != *gpu.memory)) return std::nullopt;
      capacity = gpu.memory;
    }
  return capacity;
}

/// Of samples, where these are of occupied memory; else what the allocator held.
std::optional<result::PeakMemory> peak_memory(const DiagnosisContext& ctx) {
  const auto capacity = capacity_of(ctx.result.traces);
  std::optional<double> percent;
  for (const MemorySeries& series : ctx.memory.gpus)
    if (series.occupied()) percent = std::max(percent.value_or(0), series.peak);
  if (percent) {
    result::PeakMemory out{percent, std::nullopt, capacity};
    if (capacity) out.bytes = std::llround(*percent / 100 * static_cast<double>(*capacity));
    return out;
  }
  std::optional<result::PeakMemory> out;
  for (const result::DeviceMemory& memory : ctx.result.traces.memory) {
    if (!memory.device.starts_with("GPU")) continue;
    if (out && *out->bytes >= memory.peak_reserved) continue;
    out = result::PeakMemory{std::nullopt, memory.peak_reserved, memory.capacity};
    if (memory.capacity && *memory.capacity > 0)
      out->percent = std::min(100.0, 100 * static_cast<double>(memory.peak_reserved) /
                                         static_cast<double>(*memory.capacity));
  }
  return out;
}

/// Of nodes whose cores were counted and sampled.
void add_cores(const result::Result& result, result::Headline& out) {
  for (const result::DeviceRow& row : result.devices) {
    if (row.metric != result::Metric::cpu || row.device != "cpu" || !row.mean) continue;
    for (const result::Node& node : result.job.nodes)
      if (node.name == row.node && node.cores) {
        out.cores = out.cores.value_or(0) + *node.cores;
        out.cores_busy =
            out.cores_busy.value_or(0) + *row.mean / 100 * static_cast<double>(*node.cores);
      }
  }
}

std::optional<double> startup_of(const DiagnosisContext& ctx) {
  if (const auto seconds = job_phases(ctx.result.job).initialization) return *seconds;
  if (ctx.ledger.basis != Basis::samples || !ctx.loop.found || !ctx.result.job.span)
    return std::nullopt;
  const double seconds = in_seconds(ctx.loop.span.first - ctx.result.job.span->first);
  // A GPU that works at the first samples may have begun before: the startup was not seen.
  double interval = 0;
  for (const result::NodeSampling& node : ctx.result.data_quality.nodes)
    interval = std::max(interval, node.interval_p50.value_or(0));
  return seconds > interval ? std::optional{seconds} : std::nullopt;
}

} // namespace

result::Headline headline_of(const DiagnosisContext& ctx,
                             std::span<const aggregate::StepSeries> steps) {
  result::Headline out;
  const bool measured =
      std::any_of(ctx.ledger.accounts.begin(), ctx.ledger.accounts.end(), [](const Account& one) {
        return one.in_loop > 0 && one.lost[index_of(Cause::idle_gpu)] <= 0;
      });
  if (ctx.ledger.of_gpus() && measured) out.busy_in_loop = 100 * ctx.ledger.busy_share_in_loop();
  out.iteration = iteration_of(ctx.result, steps);
  if (const result::StepRow* row = training_steps(ctx.result);
      row != nullptr && row->mode != result::kProfiledMode)
    out.step = result::StepTimes{row->p50, row->p95};
  out.gpu_memory = peak_memory(ctx);
  add_cores(ctx.result, out);
  out.startup = startup_of(ctx);
  return out;
}

} // namespace debrief::findings
