// When the job ran, what came before and after its training loop, and where its time went.
#include "render/parts/cells.h"
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/parts/share_chart.h"
#include "render/parts/table.h"
#include "render/sections/sections.h"
#include "util/number_text.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace debrief::render {

namespace {

Section time_accounting(const result::TimeAccounting& accounting) {
  if (!accounting.total || accounting.parts.empty())
    return missing("Where the time went is not accounted for: that needs the moments at which the "
                   "job began and ended, from system metrics or a framework timeline.");
  Section section;
  const auto longest = std::max_element(
      accounting.parts.begin(), accounting.parts.end(),
      [](const result::TimePart& a, const result::TimePart& b) { return a.seconds < b.seconds; });
  section.say(
      accounting.parts.size() == 1
          ? fmt::format("All of the {} are {}.", to_human_duration(*accounting.total),
                        printable(longest->part.text()))
          : fmt::format("Of the {}, the greatest part is {}: {}, {}.",
                        to_human_duration(*accounting.total), printable(longest->part.text()),
                        to_human_duration(longest->seconds), exact_percent_text(longest->percent)));
  std::vector<Share> shares;
  for (const result::TimePart& part : accounting.parts)
    shares.push_back({"", part.part.text(), part.seconds, to_human_duration(part.seconds)});
  section.draw(share_chart("Parts of the job's time", shares));
  Table table(
      fmt::format("Where the time went; the parts sum to {}", to_human_duration(*accounting.total)),
      {{"Part", Kind::head},
       {"Time", Kind::number},
       {"Share (%)", Kind::number},
       {"One after the other", Kind::bar}});
  double before = 0;
  for (const result::TimePart& part : accounting.parts) {
    table.add({printable(part.part.text()), duration_cell(part.seconds), two_decimals(part.percent),
               share_bar(part.percent, before)});
    before += part.percent;
  }
  section.show(table);
  return section;
}

std::string job_moment(const std::optional<Microseconds>& time) {
  return time ? to_iso8601(*time) : std::string{kUnknown};
}

/// Initialization, training loop and finalization in seconds, each as far as it is known.
struct Phases {
  std::optional<double> initialization;
  std::optional<double> loop;
  std::optional<double> finalization;
  double whole = 0;

  bool complete() const { return initialization && loop && finalization; }

  std::optional<double> percent(const std::optional<double>& part) const {
    if (!part || whole <= 0) return std::nullopt;
    return 100 * *part / whole;
  }
};

Phases phases_of(const result::JobSummary& job) {
  Phases phases;
  if (!job.span || job.span->length() <= 0) return phases;
  const auto& start = job.training_loop_start;
  const auto& end = job.training_loop_end;
  phases.whole = in_seconds(job.span->length());
  if (start) phases.initialization = in_seconds(*start - job.span->first);
  if (start && end) phases.loop = in_seconds(*end - *start);
  if (end) phases.finalization = in_seconds(job.span->last - *end);
  return phases;
}

/// One sentence: when, how long, what share was not training.
std::string job_sentence(const result::JobSummary& job) {
  if (!job.span) return "When the job ran is not recorded.";
  std::string out =
      fmt::format("The job started at {} and ran for {}", to_readable_time(job.span->first),
                  to_human_duration(in_seconds(job.span->length())));
  if (const Phases phases = phases_of(job); phases.complete())
    out += fmt::format(
        "; {} of that was outside the training loop: {} before its first step and {} "
        "after its last.",
        exact_percent_text(100 - *phases.percent(phases.loop)),
        to_human_duration(*phases.initialization), to_human_duration(*phases.finalization));
  else if (phases.initialization)
    out += fmt::format("; its first step began after {}, and when the last one ended is not "
                       "recorded.",
                       to_human_duration(*phases.initialization));
  else
    out += "; no whole training loop is recorded (steps come from a framework timeline), so how "
           "much of that was training is not known.";
  return out;
}

std::optional<Chart> phase_chart(const Phases& phases) {
  if (!phases.complete()) return std::nullopt;
  std::vector<Share> shares;
  const auto add = [&](const char* name, double seconds) {
    shares.push_back({"", name, seconds, to_human_duration(seconds)});
  };
  add("initialization", *phases.initialization);
  add("training loop", *phases.loop);
  add("finalization", *phases.finalization);
  return share_chart("Initialization, training loop and finalization as parts of the job", shares);
}

/// What `debrief record --on` did meanwhile.
void add_actions(const std::vector<result::RecorderAction>& actions, Section& section) {
  if (actions.empty()) return;
  for (const result::RecorderAction& action : actions)
    if (action.action == "stop")
      section.say(fmt::format("debrief stopped the job{}, as asked by '{}': {}",
                              action.time ? " at " + to_readable_time(*action.time) : "",
                              printable(action.condition), printable(action.why)));
  Table table("What debrief did while the job ran", {{"Time", Kind::time},
                                                     {"Condition", Kind::head},
                                                     {"Action"},
                                                     {"Outcome"},
                                                     {"Why", Kind::words}});
  for (const result::RecorderAction& action : actions)
    table.add({job_moment(action.time), printable(action.condition), printable(action.action),
               printable(action.outcome), printable(action.why)});
  section.show(table);
}

std::optional<Section> make_job(const result::Result& result) {
  const result::JobSummary& job = result.job;
  Section section;
  section.say(job_sentence(job));
  const Phases phases = phases_of(job);
  Table times("Times of the job, in UTC", {{"What", Kind::head}, {"Value", Kind::number}});
  const auto row = [&](const char* name, const char* key, const std::string& value) {
    Cell head(name);
    head.title = key;
    times.add({std::move(head), value});
  };
  row("Start", "start_time", job.span ? job_moment(job.span->first) : std::string{kUnknown});
  row("End", "end_time", job.span ? job_moment(job.span->last) : std::string{kUnknown});
  row("Duration (s)", "job_duration_in_seconds",
      job.span ? two_decimals(in_seconds(job.span->length())) : std::string{kUnknown});
  row("Training loop start", "training_loop_start", job_moment(job.training_loop_start));
  row("Training loop end", "training_loop_end", job_moment(job.training_loop_end));
  row("Training loop (s)", "training_loop_duration_in_seconds", two_decimals(phases.loop));
  row("Initialization (s)", "initialization_in_seconds", two_decimals(phases.initialization));
  row("Finalization (s)", "finalization_in_seconds", two_decimals(phases.finalization));
  row("Initialization (%)", "initialization_percent",
      two_decimals(phases.percent(phases.initialization)));
  row("Training loop (%)", "training_loop_percent", two_decimals(phases.percent(phases.loop)));
  row("Finalization (%)", "finalization_percent",
      two_decimals(phases.percent(phases.finalization)));
  section.draw(phase_chart(phases));
  section.append(time_accounting(result.time_accounting));
  add_actions(job.actions, section);
  section.show(times.narrow());

  constexpr std::size_t kMaxParameters = 200; // SageMaker takes a hundred
  Table parameters("Hyperparameters, as the job's description gives them",
                   {{"Name", Kind::head}, {"Value"}});
  for (const auto& [name, value] : job.hyperparameters)
    parameters.add({printable(name), printable(value)});
  if (parameters.size() > 0)
    section.show_folded(parameters.first(kMaxParameters).narrow(), "Hyperparameters");
  return section;
}

} // namespace

const SectionSpec kJobSection = {
    .id = "job",
    .heading = "Training job summary",
    .nav_label = "Job",
    .group = Group::data,
    .how_to_read = "The bar splits the job into what came before its first step, the training "
                   "loop, and what came after its last step. The second bar splits the same time "
                   "by what ran. GPUs are paid for in all of it; only steps train.",
    .how_computed =
        "The job spans from the first to the last thing that was recorded, by any node. The "
        "training loop goes from the first step's start to the last step's end. The parts of the "
        "accounting do not overlap and sum to the whole: where processes are in different modes at "
        "once, TRAIN counts before EVAL, and both before the rest.",
    .make = make_job,
};

} // namespace debrief::render
