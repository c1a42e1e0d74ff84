#include "render/view.h"

#include "render/format.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace debrief::render {

namespace {

using nlohmann::json;

double seconds(Microseconds duration) {
  return static_cast<double>(duration) / 1e6;
}

std::string moment(const std::optional<Microseconds>& time) {
  return time ? to_iso8601(*time) : std::string{kUnknown};
}

std::string text_or_unknown(const std::optional<std::string>& text) {
  return text ? printable(*text) : std::string{kUnknown};
}

/// Initialization, training loop and finalization of a job whose training loop is known.
struct Phases {
  double initialization = 0;
  double loop = 0;
  double finalization = 0;
  double whole = 0;

  double percent(double part) const { return whole > 0 ? 100 * part / whole : 0; }
};

std::optional<Phases> phases_of(const result::JobSummary& job) {
  if (!job.span || !job.training_loop_start || !job.training_loop_end || job.span->length() <= 0)
    return std::nullopt;
  Phases phases;
  phases.initialization = seconds(*job.training_loop_start - job.span->first);
  phases.loop = seconds(*job.training_loop_end - *job.training_loop_start);
  phases.finalization = seconds(job.span->last - *job.training_loop_end);
  phases.whole = seconds(job.span->length());
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
                  to_human_duration(seconds(job.span->length())));
  if (const auto phases = phases_of(job))
    out += fmt::format(
        "; {:.1f} % of that was outside the training loop: {} before its first step and {} "
        "after its last.",
        100 - phases->percent(phases->loop), to_human_duration(phases->initialization),
        to_human_duration(phases->finalization));
  else
    out += "; no whole training loop is recorded (steps come from a framework timeline), so how "
           "much of that "
           "was training is not known.";
  return out;
}

/// The bar of the three phases, in per mille of its width, with text for each.
json phase_bar(const Phases& phases) {
  json parts = json::array();
  double left = 0;
  const auto add = [&](const char* name, const char* kind, double part) {
    const double width = phases.percent(part) * 10;
    parts.push_back({{"name", name},
                     {"kind", kind},
                     {"x", fmt::format("{:.2f}", left)},
                     {"width", fmt::format("{:.2f}", width)},
                     {"seconds", two_decimals(part)},
                     {"percent", two_decimals(phases.percent(part))}});
    left += width;
  };
  add("Initialization", "init", phases.initialization);
  add("Training loop", "loop", phases.loop);
  add("Finalization", "fin", phases.finalization);
  return parts;
}

json job_view(const result::JobSummary& job) {
  json view;
  view["sentence"] = job_sentence(job);
  const auto phases = phases_of(job);
  json rows = json::array();
  const auto row = [&](const char* name, const char* key, const std::string& value) {
    rows.push_back({{"name", name}, {"key", key}, {"value", value}});
  };
  row("Start", "start_time", job.span ? moment(job.span->first) : std::string{kUnknown});
  row("End", "end_time", job.span ? moment(job.span->last) : std::string{kUnknown});
  row("Duration (s)", "job_duration_in_seconds",
      job.span ? two_decimals(seconds(job.span->length())) : std::string{kUnknown});
  row("Training loop start", "training_loop_start", moment(job.training_loop_start));
  row("Training loop end", "training_loop_end", moment(job.training_loop_end));
  const auto part = [&](double Phases::*member) {
    return phases ? two_decimals((*phases).*member) : std::string{kUnknown};
  };
  const auto share = [&](double Phases::*member) {
    return phases ? two_decimals(phases->percent((*phases).*member)) : std::string{kUnknown};
  };
  row("Training loop (s)", "training_loop_duration_in_seconds", part(&Phases::loop));
  row("Initialization (s)", "initialization_in_seconds", part(&Phases::initialization));
  row("Finalization (s)", "finalization_in_seconds", part(&Phases::finalization));
  row("Initialization (%)", "initialization_percent", share(&Phases::initialization));
  row("Training loop (%)", "training_loop_percent", share(&Phases::loop));
  row("Finalization (%)", "finalization_percent", share(&Phases::finalization));
  view["rows"] = rows;
  view["phases"] = phases ? phase_bar(*phases) : json::array();

  json parameters = json::array();
  for (const auto& [name, value] : job.hyperparameters)
    parameters.push_back({{"name", printable(name)}, {"value", printable(value)}});
  view["hyperparameters"] = parameters;
  return view;
}

/// Where a percentage stands between 0 and 100, for the bar beside its row; other units have no
/// such scale.
json usage_bar(const result::UsageRow& row) {
  if (row.unit != "%") return nullptr;
  return {{"p50", fmt::format("{:.1f}", row.p50)}, {"p95", fmt::format("{:.1f}", row.p95)}};
}

/// One sentence per set of metrics that some nodes lack: "algo-1, algo-2 recorded no GPU, no I/O."
json missing_metrics(const std::vector<result::NodeSampling>& nodes) {
  std::map<std::vector<std::string>, std::vector<std::string>> nodes_by_lack;
  for (const result::NodeSampling& node : nodes)
    if (!node.not_recorded.empty())
      nodes_by_lack[node.not_recorded].push_back(printable(node.node));
  json sentences = json::array();
  for (const auto& [lack, names] : nodes_by_lack)
    sentences.push_back(
        fmt::format("{} recorded no {}.", fmt::join(names, ", "), fmt::join(lack, ", no ")));
  return sentences;
}

json usage_view(const result::Result& result) {
  json rows = json::array();
  for (const result::UsageRow& row : result.system_usage) {
    rows.push_back({{"node", printable(row.node)},
                    {"metric", row.metric},
                    {"unit", row.unit},
                    {"max", in_unit(row.max, row.unit)},
                    {"p99", in_unit(row.p99, row.unit)},
                    {"p95", in_unit(row.p95, row.unit)},
                    {"p50", in_unit(row.p50, row.unit)},
                    {"min", in_unit(row.min, row.unit)},
                    {"bar", usage_bar(row)}});
  }
  return {{"rows", rows}, {"missing", missing_metrics(result.data_quality.nodes)}};
}

json troubles_view(const std::vector<result::TroubleRow>& rows) {
  json out = json::array();
  for (const result::TroubleRow& row : rows)
    out.push_back({{"reason", printable(row.reason)},
                   {"count", grouped(static_cast<std::int64_t>(row.count))},
                   {"first_seen", printable(row.first_seen)}});
  return out;
}

/// "6 records skipped, 1 damaged file, 2 gaps, no samples of algo-3".
std::string losses(const result::DataQuality& quality) {
  const auto total = [](const std::vector<result::TroubleRow>& rows) {
    std::uint64_t count = 0;
    for (const result::TroubleRow& row : rows)
      count += row.count;
    return count;
  };
  std::int64_t gaps = 0;
  for (const result::NodeSampling& node : quality.nodes)
    gaps += node.gap_count;
  std::vector<std::string> parts;
  if (const auto count = total(quality.skipped); count > 0)
    parts.push_back(count_of(count, "record") + " skipped");
  if (const auto count = total(quality.damaged_files); count > 0)
    parts.push_back(count_of(count, "damaged file"));
  if (gaps > 0)
    parts.push_back(count_of(static_cast<std::size_t>(gaps), "gap") + " in the samples");
  if (!quality.missing_nodes.empty())
    parts.push_back(fmt::format("no samples of {}", fmt::join(quality.missing_nodes, ", ")));
  if (!quality.missing_ranks.empty())
    parts.push_back(fmt::format("no events of rank {}", fmt::join(quality.missing_ranks, ", ")));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string quality_sentence(const result::DataQuality& quality) {
  std::uint64_t files = 0;
  std::uint64_t samples = 0;
  std::uint64_t events = 0;
  for (const result::SourceRow& row : quality.sources) {
    files += row.files;
    samples += row.samples;
    events += row.events;
  }
  const auto number = [](std::uint64_t count) { return grouped(static_cast<std::int64_t>(count)); };
  const std::string read =
      fmt::format("{} {} gave {} samples and {} events", number(files),
                  files == 1 ? "file" : "files", number(samples), number(events));
  return read +
         (quality.complete ? "; nothing was lost." : ". What was lost: " + losses(quality) + ".");
}

json notes_view(const result::DataQuality& quality) {
  json notes = json::array();
  for (const result::OtherJobRow& other : quality.other_jobs)
    notes.push_back(fmt::format(
        "Another job's data is in the same folder and was left out: {} to {}, {} samples, "
        "{} events. Choose it with --job-start {}.",
        to_iso8601(other.span.first), to_iso8601(other.span.last),
        grouped(static_cast<std::int64_t>(other.samples)),
        grouped(static_cast<std::int64_t>(other.events)), to_iso8601(other.span.first)));
  for (const result::ClockSkew& skew : quality.clock_skew)
    notes.push_back(
        fmt::format("{}'s samples begin and end {} {} the other nodes': its clock is probably {}.",
                    printable(skew.node), to_human_duration(std::abs(skew.seconds)),
                    skew.seconds > 0 ? "after" : "before", skew.seconds > 0 ? "ahead" : "behind"));
  if (quality.described_interval)
    notes.push_back(fmt::format("The profiler was set to sample every {}.",
                                to_human_duration(*quality.described_interval)));
  return notes;
}

json quality_view(const result::DataQuality& quality) {
  json view;
  view["sentence"] = quality_sentence(quality);
  view["sources"] = json::array();
  for (const result::SourceRow& row : quality.sources)
    view["sources"].push_back({{"source", row.source},
                               {"files", grouped(static_cast<std::int64_t>(row.files))},
                               {"bytes", to_human_bytes(static_cast<double>(row.bytes))},
                               {"records", grouped(static_cast<std::int64_t>(row.records))},
                               {"samples", grouped(static_cast<std::int64_t>(row.samples))},
                               {"events", grouped(static_cast<std::int64_t>(row.events))}});
  view["skipped"] = troubles_view(quality.skipped);
  view["mended"] = troubles_view(quality.mended);
  view["damaged"] = troubles_view(quality.damaged_files);
  view["nodes"] = json::array();
  for (const result::NodeSampling& node : quality.nodes)
    view["nodes"].push_back({{"node", printable(node.node)},
                             {"samples", grouped(node.samples)},
                             {"first", to_iso8601(node.span.first)},
                             {"last", to_iso8601(node.span.last)},
                             {"interval", node.interval_p50 ? to_human_duration(*node.interval_p50)
                                                            : std::string{kUnknown}},
                             {"longest", node.interval_max ? to_human_duration(*node.interval_max)
                                                           : std::string{kUnknown}},
                             {"gaps", grouped(node.gap_count)},
                             {"gap_time", to_human_duration(node.gap_seconds)}});
  view["ignored"] = json::array();
  for (const result::IgnoredRow& row : quality.ignored)
    view["ignored"].push_back({{"path", printable(row.path)}, {"reason", printable(row.reason)}});
  view["ignored_count"] = grouped(static_cast<std::int64_t>(quality.ignored_count));
  view["ignored_caption"] =
      quality.ignored_count > quality.ignored.size()
          ? fmt::format("Files that were not read (the first {})", quality.ignored.size())
          : "Files that were not read";
  view["notes"] = notes_view(quality);
  return view;
}

json facts_view(const result::JobSummary& job) {
  json facts = json::array();
  const auto fact = [&](const char* name, const std::string& value) {
    if (value != kUnknown) facts.push_back({{"name", name}, {"value", value}});
  };
  fact("Duration",
       job.span ? to_human_duration(seconds(job.span->length())) : std::string{kUnknown});
  fact("Hardware", job.nodes.empty() ? std::string{kUnknown} : hardware(job));
  fact("Instance", text_or_unknown(job.instance_type));
  fact("Framework", text_or_unknown(job.framework));
  fact("Status", text_or_unknown(job.status));
  return facts;
}

} // namespace

json make_view(const result::Result& result) {
  json view;
  view["title"] = printable(result.job.name);
  view["facts"] = facts_view(result.job);
  view["job"] = job_view(result.job);
  view["usage"] = usage_view(result);
  view["quality"] = quality_view(result.data_quality);
  json parameters = json::array();
  for (const auto& [name, value] : result.provenance.parameters)
    parameters.push_back({{"name", name}, {"value", printable(value)}});
  view["provenance"] = {{"version", result.provenance.version},
                        {"input", printable(result.provenance.input)},
                        {"parameters", parameters}};
  return view;
}

} // namespace debrief::render
