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

} // namespace debrief::result
