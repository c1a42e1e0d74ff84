// When the job ran, what came before and after its training loop, and where its time went.
#include "render/parts/cells.h"
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/parts/share_chart.h"
#include "render/parts/table.h"
#include "render/sections/sections.h"
#include "result/phase_words.h"
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
    return missing("Where the time went is unknown: neither system metrics nor a framework "
                   "timeline say when the job began and ended.");
  Section section;
  const auto longest = std::max_element(
      accounting.parts.begin(), accounting.parts.end(),
      [](const result::TimePart& a, const result::TimePart& b) { return a.seconds < b.seconds; });
  section.say(accounting.parts.size() == 1
                  ? fmt::format("All {} are {}.", to_human_duration(*accounting.total),
                                printable(result::phase_words(longest->part)))
                  : fmt::format("The largest part of the {} is {}: {}, {}.",
                                to_human_duration(*accounting.total),
                                printable(result::phase_words(longest->part)),
                                to_human_duration(longest->seconds),
                                exact_percent_text(longest->percent)));
  std::vector<Share> shares;
  for (const result::TimePart& part : accounting.parts)
    shares.push_back(
        {"", result::phase_words(part.part), part.seconds, to_human_duration(part.seconds)});
  section.draw(share_chart("Job time by part", shares));
  Table table(fmt::format("Where the time went ({} total)", to_human_duration(*accounting.total)),
              {{"Part", Kind::head},
               {"Time", Kind::number},
               {"Share (%)", Kind::number},
               {"In order", Kind::bar}});
  double before = 0;
  for (const result::TimePart& part : accounting.parts) {
    table.add({printable(result::phase_words(part.part)), duration_cell(part.seconds),
               two_decimals(part.percent), share_bar(part.percent, before)});
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
  if (!job.span) return "The job's start and end were not recorded.";
  std::string out =
      fmt::format("The job started at {} and ran for {}", to_readable_time(job.span->first),
                  to_human_duration(in_seconds(job.span->length())));
  if (const Phases phases = phases_of(job); phases.complete())
    out += fmt::format(". {} of that was outside the training loop: {} before the first step and "
                       "{} after the last.",
                       exact_percent_text(100 - *phases.percent(phases.loop)),
                       to_human_duration(*phases.initialization),
                       to_human_duration(*phases.finalization));
  else if (phases.initialization)
    out += fmt::format(". Its first step began after {}; the end of the last one was not recorded.",
                       to_human_duration(*phases.initialization));
  else
    out += ". It was not recorded when the first step began and the last one ended.";
  return out;
}

std::optional<Chart> phase_chart(const Phases& phases) {
  if (!phases.complete()) return std::nullopt;
  std::vector<Share> shares;
  const auto add = [&](const char* name, double seconds) {
    shares.push_back({"", name, seconds, to_human_duration(seconds)});
  };
  add("startup", *phases.initialization);
  add("training loop", *phases.loop);
  add("shutdown", *phases.finalization);
  return share_chart("Startup, training loop and shutdown", shares);
}

/// What `debrief record --on` did meanwhile.
void add_actions(const std::vector<result::RecorderAction>& actions, Section& section) {
  if (actions.empty()) return;
  for (const result::RecorderAction& action : actions)
    if (action.action == "stop")
      section.say(fmt::format("debrief stopped the job{} because of '{}': {}",
                              action.time ? " at " + to_readable_time(*action.time) : "",
                              printable(action.condition), printable(action.why)));
  Table table("Actions during the job", {{"Time", Kind::time},
                                         {"Condition", Kind::head},
                                         {"Action"},
                                         {"Outcome"},
                                         {"Why", Kind::words}});
  for (const result::RecorderAction& action : actions)
    table.add({job_moment(action.time), printable(action.condition), printable(action.action),
               printable(action.outcome), printable(action.why)});
  section.show(table);
}

/// Where the exception that ended the job was raised.
void add_failure(const std::optional<result::Failure>& failure, Section& section) {
  if (!failure || failure->frames.empty()) return;
  Table table("Last calls before the failure",
              {{"Function", Kind::head}, {"File"}, {"Line", Kind::number}, {"Code of"}});
  for (auto frame = failure->frames.rbegin(); frame != failure->frames.rend(); ++frame)
    table.add({printable(frame->function), printable(frame->file),
               frame->line > 0 ? std::to_string(frame->line) : std::string{kUnknown},
               frame->of_library ? "a library" : "the job"});
  section.show(table);
}

std::optional<Section> make_job(const result::Result& result) {
  const result::JobSummary& job = result.job;
  Section section;
  section.say(job_sentence(job));
  const Phases phases = phases_of(job);
  Table times("Job times (UTC)", {{"What", Kind::head}, {"Value", Kind::number}});
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
  row("Startup (s)", "initialization_in_seconds", two_decimals(phases.initialization));
  row("Shutdown (s)", "finalization_in_seconds", two_decimals(phases.finalization));
  row("Startup (%)", "initialization_percent", two_decimals(phases.percent(phases.initialization)));
  row("Training loop (%)", "training_loop_percent", two_decimals(phases.percent(phases.loop)));
  row("Shutdown (%)", "finalization_percent", two_decimals(phases.percent(phases.finalization)));
  section.draw(phase_chart(phases));
  section.append(time_accounting(result.time_accounting));
  add_failure(job.failure, section);
  add_actions(job.actions, section);
  section.show(times.narrow());

  constexpr std::size_t kMaxParameters = 200; // SageMaker takes a hundred
  Table parameters("Hyperparameters", {{"Name", Kind::head}, {"Value"}});
  for (const auto& [name, value] : job.hyperparameters)
    parameters.add({printable(name), printable(value)});
  if (parameters.size() > 0)
    section.show_folded(parameters.first(kMaxParameters).narrow(), "Hyperparameters");
  return section;
}

} // namespace

const SectionSpec kJobSection = {
    .id = "job",
    .heading = "Job",
    .chapter = Chapter::data,
    .how_to_read = "The first bar splits the job into startup, training loop and shutdown. The "
                   "second bar splits the same time by what ran. You pay for the GPUs the whole "
                   "time; only steps do training work.",
    .how_computed = "The job spans from the first to the last thing recorded on any node. The "
                    "training loop runs from the first step's start to the last step's end. Parts "
                    "do not overlap and sum to the total. Where processes are in different modes "
                    "at once, TRAIN counts before EVAL, and both before the rest.",
    .make = make_job,
};

} // namespace debrief::render
