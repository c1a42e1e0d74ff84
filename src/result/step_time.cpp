#include "result/step_time.h"

#include <algorithm>
#include <map>
#include <string>

namespace debrief::result {

std::optional<double> seconds_per_step(const Result& result) {
  std::map<std::string, double> by_process;
  for (const StepRow& row : result.steps)
    if (row.mode != kProfiledMode) by_process[row.process] += static_cast<double>(row.count);
  double most = 0;
  for (const auto& [process, count] : by_process)
    most = std::max(most, count);
  const auto loop = job_phases(result.job).training_loop;
  return loop && most > 0 ? std::optional(*loop / most) : std::nullopt;
}

std::optional<double> profiling_slowdown(const Result& result) {
  const auto usual = seconds_per_step(result);
  const auto is_step = [](const TraceFile& file) {
    return file.step_source == StepSource::profiler_step ||
           file.step_source == StepSource::optimizer_step;
  };
  const auto& files = result.traces.files;
  if (!usual || *usual <= 0 || !std::all_of(files.begin(), files.end(), is_step))
    return std::nullopt;
  double us = 0;
  double steps = 0;
  for (const ProcessBreakdown& process : result.traces.processes) {
    us += process.us;
    steps += static_cast<double>(process.steps);
  }
  if (steps <= 0 || us <= 0) return std::nullopt;
  return us / 1e6 / steps / *usual;
}

std::optional<double> flops_utilization(const Result& result) {
  const auto& profiled = result.traces.performance.utilization;
  if (!profiled || !is_profile_distorted(result)) return profiled;
  return std::min(*profiled * *profiling_slowdown(result), 100.0);
}

} // namespace debrief::result
