// Durations of steps, mode by mode, and where the job's time went.
#include "compare/figures.h"
#include "result/batch_size.h"
#include "result/step_time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>

namespace debrief::compare {

namespace {

using result::StepRow;

constexpr std::string_view kModes[] = {result::kTrainMode, result::kEvalMode, "PREDICT", "GLOBAL",
                                       result::kProfiledMode};

struct StepFigure {
  const char* name;
  std::optional<double> (*value)(const StepRow& row);
  const char* words;
  const char* unit;
  Better better;
  bool has_blocks;
};

template <double StepRow::*kField>
std::optional<double> step_value(const StepRow& row) {
  return row.*kField;
}

// Medians of blocks measure the noise of what is in the middle of the steps. They say nothing of
// how the few slowest of them, or the first, scatter. How many steps there are, and so their sum,
// is how the job was set up.
constexpr StepFigure kStepFigures[] = {
    {"p50", step_value<&StepRow::p50>, "step, median", "s", Better::lower, true},
    {"mean", step_value<&StepRow::mean>, "step, mean", "s", Better::lower, true},
    {"p95", step_value<&StepRow::p95>, "step, 95th percentile", "s", Better::lower, false},
    {"p99", step_value<&StepRow::p99>, "step, 99th percentile", "s", Better::lower, false},
    {"max", step_value<&StepRow::max>, "step, longest", "s", Better::lower, false},
    {"min", step_value<&StepRow::min>, "step, shortest", "s", Better::lower, false},
    {"first", [](const StepRow& row) { return row.first; }, "step, first", "s", Better::lower,
     false},
    {"total", [](const StepRow& row) { return row.total; }, "steps, total", "s", Better::neither,
     false},
    {"count", [](const StepRow& row) { return std::optional(static_cast<double>(row.count)); },
     "steps, count", "", Better::neither, false}};

std::string step_name(std::string_view mode, const char* figure) {
  std::string lower{mode};
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return fmt::format("steps.{}.{}", lower, figure);
}

/// One of the job's phases, or a part of its time accounting.
struct TimeFigure {
  const char* name;
  std::optional<double> result::JobPhases::*phase; ///< null: a part of `time_accounting`
  result::PhaseKind part;
  const char* label;
  Better better;       ///< of the seconds
  Better better_share; ///< of the percents
};

using result::JobPhases;
using result::PhaseKind;

constexpr TimeFigure kTimes[] = {
    {"duration", &JobPhases::job, {}, "Job", Better::lower, Better::neither},
    {"initialization",
     &JobPhases::initialization,
     {},
     "Initialization",
     Better::lower,
     Better::lower},
    {"training_loop",
     &JobPhases::training_loop,
     {},
     "Training loop",
     Better::lower,
     Better::higher},
    {"finalization", &JobPhases::finalization, {}, "Finalization", Better::lower, Better::lower},
    {"between_steps", nullptr, PhaseKind::between_steps, "Between steps", Better::lower,
     Better::lower},
    {"unattributed", nullptr, PhaseKind::unattributed, "Unattributed", Better::neither,
     Better::neither}};

/// What a loop gets through: of jobs whose steps differ in size the only pace that compares.
std::optional<double> samples_per_second(const result::Result& result) {
  const auto batch = batch_size(result);
  if (!batch) return std::nullopt;
  std::optional<double> step = result::seconds_per_step(result);
  for (const StepRow& row : result.steps) // of traces alone
    if (!step && row.mode == result::kProfiledMode) step = row.p50;
  if (!step || *step <= 0) return std::nullopt;
  return static_cast<double>(batch->value) / *step;
}

/// All of the job is no share of it.
bool has_share(const TimeFigure& time) {
  return time.phase != &JobPhases::job;
}

} // namespace

void declare_steps(std::vector<Declaration>& out) {
  for (const std::string_view mode : kModes)
    for (const StepFigure& figure : kStepFigures)
      out.push_back({step_name(mode, figure.name), fmt::format("{} {}", mode, figure.words),
                     figure.unit, figure.better, Group::steps});
}

void collect_steps(const result::Result& result, Collector& out) {
  for (const StepRow& row : result.steps) {
    if (std::find(std::begin(kModes), std::end(kModes), row.mode) == std::end(kModes)) continue;
    for (const StepFigure& figure : kStepFigures)
      if (figure.has_blocks)
        out.add_noisy(step_name(row.mode, figure.name), figure.value(row), row.process,
                      row.block_medians,
                      static_cast<std::size_t>(row.count) == row.block_medians.size());
      else
        out.add(step_name(row.mode, figure.name), figure.value(row), row.process);
  }
}

void declare_times(std::vector<Declaration>& out) {
  out.push_back({"job.seconds_per_step", "Iteration, mean", "s", Better::lower, Group::time});
  out.push_back({"job.samples_per_second", "Samples per second of one process", "samples/s",
                 Better::higher, Group::time});
  for (const TimeFigure& time : kTimes) {
    out.push_back({fmt::format("job.{}", time.name), fmt::format("{}, duration", time.label), "s",
                   time.better, Group::time});
    if (has_share(time))
      out.push_back({fmt::format("job.{}_percent", time.name),
                     fmt::format("{}, share of the job", time.label), "%", time.better_share,
                     Group::time});
  }
}

void collect_times(const result::Result& result, Collector& out) {
  out.add_derived("job.seconds_per_step", result::seconds_per_step(result));
  out.add_derived("job.samples_per_second", samples_per_second(result));
  const JobPhases phases = job_phases(result.job);
  for (const TimeFigure& time : kTimes) {
    const std::string name = fmt::format("job.{}", time.name);
    if (time.phase != nullptr) {
      out.add(name, phases.*time.phase);
      if (has_share(time)) out.add(name + "_percent", phases.percent(phases.*time.phase));
      continue;
    }
    for (const result::TimePart& part : result.time_accounting.parts)
      if (part.part.kind == time.part) {
        out.add(name, part.seconds);
        out.add(name + "_percent", part.percent);
      }
  }
}

} // namespace debrief::compare
