#include "render/sections/job.h"

#include "render/parts/format.h"
#include "render/parts/share_chart.h"
#include "render/parts/table.h"
#include "util/text.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

namespace debrief::render {

namespace {

using nlohmann::json;

std::string job_moment(const std::optional<Microseconds>& time) {
  return time ? to_iso8601(*time) : std::string{kUnknown};
}

std::string text_or_unknown(const std::optional<std::string>& text) {
  return text ? printable(*text) : std::string{kUnknown};
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

std::string hardware(const result::JobSummary& job) {
  std::int64_t cores = 0;
  std::int64_t gpus = 0;
  bool cores_known = !job.nodes.empty();
  bool gpus_known = !job.nodes.empty();
  for (const result::Node& node : job.nodes) {
    cores += node.cores.value_or(0);
    gpus += node.gpus.value_or(0);
    cores_known = cores_known && node.cores.has_value();
    gpus_known = gpus_known && node.gpus.has_value();
  }
  std::string out = count_of(job.nodes.size(), "node");
  if (cores_known) out += ", " + count_of(static_cast<std::size_t>(cores), "core");
  if (gpus_known) out += ", " + count_of(static_cast<std::size_t>(gpus), "GPU");
  return out;
}

/// One sentence: when, how long, what share was not training.
std::string job_sentence(const result::JobSummary& job) {
  if (!job.span) return "When the job ran is not recorded.";
  std::string out =
      fmt::format("The job started at {} and ran for {}", to_readable_time(job.span->first),
                  to_human_duration(in_seconds(job.span->length())));
  if (const Phases phases = phases_of(job); phases.complete())
    out += fmt::format(
        "; {:.1f} % of that was outside the training loop: {} before its first step and {} "
        "after its last.",
        100 - *phases.percent(phases.loop), to_human_duration(*phases.initialization),
        to_human_duration(*phases.finalization));
  else if (phases.initialization)
    out += fmt::format("; its first step began after {}, and when the last one ended is not "
                       "recorded.",
                       to_human_duration(*phases.initialization));
  else
    out += "; no whole training loop is recorded (steps come from a framework timeline), so how "
           "much of that was training is not known.";
  return out;
}

std::optional<Figure> phase_figure(const Phases& phases) {
  if (!phases.complete()) return std::nullopt;
  std::vector<Share> shares;
  const auto add = [&](const char* name, double seconds) {
    shares.push_back({"", name, seconds, to_human_duration(seconds)});
  };
  add("initialization", *phases.initialization);
  add("training loop", *phases.loop);
  add("finalization", *phases.finalization);
  return share_figure("Initialization, training loop and finalization as parts of the job", shares);
}

} // namespace

json facts_view(const result::JobSummary& job) {
  json facts = json::array();
  const auto fact = [&](const char* name, const std::string& value) {
    if (value != kUnknown) facts.push_back({{"name", name}, {"value", value}});
  };
  fact("Hardware", job.nodes.empty() ? std::string{kUnknown} : hardware(job));
  fact("Instance", text_or_unknown(job.instance_type));
  fact("Framework", text_or_unknown(job.framework));
  fact("Status", text_or_unknown(job.status));
  return facts;
}

json job_view(const result::JobSummary& job) {
  json view;
  view["sentence"] = job_sentence(job);
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
  view["figures"] = json::array();
  if (const auto figure = phase_figure(phases)) view["figures"].push_back(figure->view());
  view["tables"] = json::array({times.narrow().view()});

  constexpr std::size_t kMaxParameters = 200; // SageMaker takes a hundred
  Table parameters("Hyperparameters, as the job's description gives them",
                   {{"Name", Kind::head}, {"Value"}});
  for (const auto& [name, value] : job.hyperparameters)
    parameters.add({printable(name), printable(value)});
  if (parameters.size() > 0)
    view["tables"].push_back(
        parameters.first(kMaxParameters).narrow().folded_away("Hyperparameters"));
  return view;
}

} // namespace debrief::render
