// Where the job's time went.
#include "compare/figures/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

namespace debrief::compare {

namespace {

using nlohmann::json;

struct TimeFigure {
  const char* name;
  const char* seconds; ///< key in `job`; null: a part of `time_accounting`
  const char* percent; ///< key in `job`; null: as above, or none
  const char* part;    ///< of `time_accounting`
  const char* label;
  Better better;       ///< of the seconds
  Better better_share; ///< of the percents
};

constexpr TimeFigure kTimes[] = {
    {"duration", "job_duration_in_seconds", nullptr, nullptr, "Job", Better::lower,
     Better::neither},
    {"initialization", "initialization_in_seconds", "initialization_percent", nullptr,
     "Initialization", Better::lower, Better::lower},
    {"training_loop", "training_loop_duration_in_seconds", "training_loop_percent", nullptr,
     "Training loop", Better::lower, Better::higher},
    {"finalization", "finalization_in_seconds", "finalization_percent", nullptr, "Finalization",
     Better::lower, Better::lower},
    {"between_steps", nullptr, nullptr, "between steps", "Between steps", Better::lower,
     Better::lower},
    {"unattributed", nullptr, nullptr, "unattributed", "Unattributed", Better::neither,
     Better::neither}};

/// What all is done in the loop counts, not only what is in steps: a wait for data between them is
/// as slow for who waits for the job. Of the process that made the most steps, of all modes.
std::optional<double> seconds_per_step(const json& document) {
  std::map<std::string, double> by_process;
  for (const json* row : rows_at(document, "steps"))
    if (text_at(*row, "mode") != "PROFILED")
      by_process[text_at(*row, "process")] += number_at(*row, "count").value_or(0);
  double most = 0;
  for (const auto& [process, count] : by_process)
    most = std::max(most, count);
  const auto loop = number_at(at(document, "job"), "training_loop_duration_in_seconds");
  return loop && most > 0 ? std::optional(*loop / most) : std::nullopt;
}

bool has_share(const TimeFigure& time) {
  return time.percent != nullptr || time.part != nullptr;
}

} // namespace

void declare_times(std::vector<Declaration>& out) {
  out.push_back({"job.seconds_per_step", "Time per step of the training loop", "s", Better::lower,
                 Group::time});
  for (const TimeFigure& time : kTimes) {
    out.push_back({fmt::format("job.{}", time.name), fmt::format("{}, duration", time.label), "s",
                   time.better, Group::time});
    if (has_share(time))
      out.push_back({fmt::format("job.{}_percent", time.name),
                     fmt::format("{}, share of the job", time.label), "%", time.better_share,
                     Group::time});
  }
}

void collect_times(const json& document, Collector& out) {
  out.add("job.seconds_per_step", seconds_per_step(document));
  const json& job = at(document, "job");
  const auto parts = rows_at(at(document, "time_accounting"), "parts");
  for (const TimeFigure& time : kTimes) {
    const std::string name = fmt::format("job.{}", time.name);
    if (time.seconds != nullptr) out.add(name, number_at(job, time.seconds));
    if (time.percent != nullptr) out.add(name + "_percent", number_at(job, time.percent));
    if (time.part == nullptr) continue;
    for (const json* part : parts)
      if (text_at(*part, "part") == time.part) {
        out.add(name, number_at(*part, "seconds"));
        out.add(name + "_percent", number_at(*part, "percent"));
      }
  }
}

} // namespace debrief::compare
