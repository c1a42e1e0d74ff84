#include "render/page/summary.h"

#include "chart/meaning.h"
#include "chart/strip.h"
#include "render/page/code_runs.h"
#include "render/page/when.h"
#include "render/parts/cause_words.h"
#include "render/parts/finding_words.h"
#include "render/parts/format.h"
#include "render/parts/quality_words.h"
#include "render/parts/rule_words.h"
#include "render/parts/status_badge.h"
#include "util/number_text.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

namespace debrief::render {

namespace {

using nlohmann::json;
using result::Tile;

constexpr std::size_t kActionsShown = 3;
constexpr std::size_t kFurtherShown = 3;
constexpr double kLargeNote = 0.2; // share of the job's time

json badge_view(const StatusBadge& badge) {
  return {{"word", badge.word},
          {"class", badge.css},
          {"path", badge.path},
          {"fill", badge.color.light}};
}

/// Whether a tile's number is what a finding is about; the gravest of them counts.
class Alarms {
public:
  explicit Alarms(const std::vector<result::Finding>& findings)
      : findings_(findings) {}

  /// The class of the gravest finding of its kinds; empty: none calls for action.
  std::string of(result::Tile tile) const {
    std::optional<result::Severity> gravest;
    for (const result::Finding& finding : findings_)
      if (is_among(tile, spec_of(finding.kind).tiles))
        gravest = std::max(gravest.value_or(result::Severity::info), finding.severity);
    return gravest && *gravest != result::Severity::info ? badge_of(*gravest).css : "";
  }

private:
  const std::vector<result::Finding>& findings_;
};

json tile(const char* name, const std::string& value, const std::string& more,
          std::string css = {}) {
  return {{"name", name},
          {"value", keep_units_together(value)},
          {"more", keep_units_together(more)},
          {"class", std::move(css)}};
}

json missing_tile(const char* name, const char* why) {
  return tile(name, std::string{kUnknown}, why, "missing");
}

json busy_tile(const result::Result& result, const Alarms& alarms) {
  const auto& busy = result.headline.busy_in_loop;
  if (!busy) return missing_tile("GPU busy", "no GPU was sampled or traced");
  // Samples tell of the whole loop, traces of the steps that they have.
  const bool sampled =
      std::any_of(result.devices.begin(), result.devices.end(),
                  [](const result::DeviceRow& row) { return row.metric == result::Metric::gpu; });
  const bool traced = !sampled && result.headline.iteration && result.headline.iteration->profiled;
  return tile("GPU busy", percent_text(*busy), traced ? "of profiled time" : "of training loop",
              alarms.of(Tile::busy));
}

/// Whether the loop has steps of more than training: an iteration is then the mean of all.
bool has_several_modes(const result::Result& result) {
  std::set<std::string_view> modes;
  for (const result::StepRow& row : result.steps)
    if (row.mode != result::kProfiledMode) modes.insert(row.mode);
  return modes.size() > 1;
}

json iteration_tile(const result::Result& result, const Alarms& alarms) {
  const result::Headline& headline = result.headline;
  if (!headline.iteration) return missing_tile("Iteration", "step times not recorded");
  const std::string more =
      headline.iteration->profiled
          ? fmt::format("mean of {}", plural(headline.iteration->count, "profiled step"))
      : has_several_modes(result) ? "mean, train and eval"
                                  : "mean, step + wait";
  return tile("Iteration", to_human_duration(headline.iteration->mean), more,
              alarms.of(Tile::iteration));
}

/// A profiled step is an iteration: its median stands beside the mean.
json step_tile(const result::Result& result) {
  const result::Headline& headline = result.headline;
  std::optional<result::StepTimes> step = headline.step;
  if (!step && headline.iteration && headline.iteration->profiled && headline.iteration->p50)
    step = result::StepTimes{*headline.iteration->p50, headline.iteration->p95.value_or(0)};
  if (!step) return missing_tile("Step", "step times not recorded");
  return tile("Step", to_human_duration(step->p50),
              fmt::format("{}, p95 {}", has_several_modes(result) ? "train, median" : "median",
                          to_human_duration(step->p95)));
}

json memory_tile(const result::Headline& headline, const Alarms& alarms) {
  const auto& memory = headline.gpu_memory;
  if (!memory) return missing_tile("GPU memory", "not recorded");
  const std::string css = alarms.of(Tile::memory);
  if (!memory->bytes) return tile("GPU memory", percent_text(*memory->percent), "peak", css);
  std::string value = to_human_bytes(static_cast<double>(*memory->bytes));
  if (memory->capacity) {
    constexpr double kGigabyte = 1e9;
    const double used = static_cast<double>(*memory->bytes) / kGigabyte;
    value = fmt::format("{} of {:.0f} GB",
                        used < 9.95 ? fmt::format("{:.1f}", used) : fmt::format("{:.0f}", used),
                        static_cast<double>(*memory->capacity) / kGigabyte);
  }
  return tile("GPU memory", value,
              memory->percent ? fmt::format("peak, {}", percent_text(*memory->percent)) : "peak",
              css);
}

json cpu_tile(const result::Headline& headline, const Alarms& alarms) {
  if (!headline.cores_busy || !headline.cores)
    return missing_tile("CPU cores", "cores not recorded");
  const double busy = *headline.cores_busy;
  return tile(
      "CPU cores",
      fmt::format("{} of {}",
                  busy < 9.95 ? fmt::format("{:.1f}", busy) : count_text(std::llround(busy)),
                  count_text(*headline.cores)),
      "busy on average", alarms.of(Tile::cores));
}

/// Its share is the bar's, of the GPU time: a second one, of the job's time, would differ from it.
json startup_tile(const result::Result& result, const Alarms& alarms) {
  const auto& startup = result.headline.startup;
  if (!startup) return missing_tile("Startup", "not recorded");
  return tile("Startup", to_human_duration(*startup),
              result.job.training_loop_start ? "until the first step" : "until steady GPU work",
              alarms.of(Tile::startup));
}

/// "2 × H200", "32 GPUs"; the name where all traced ones have the same.
std::string gpus_text(const result::Result& result) {
  std::int64_t count = 0;
  for (const result::Node& node : result.job.nodes)
    count += node.gpus.value_or(0);
  std::optional<std::string> name;
  std::map<std::string, std::int64_t> traced; // most of one file: each sees all of its node
  for (const result::TraceFile& file : result.traces.files) {
    for (const result::TracedGpu& gpu : file.gpus) {
      if (name && *name != gpu.name) return count > 0 ? plural(count, "GPU") : "";
      name = gpu.name;
    }
    auto& of_node = traced[file.node];
    of_node = std::max(of_node, std::ssize(file.gpus));
  }
  if (count == 0)
    for (const auto& [node, gpus] : traced)
      count += gpus;
  if (count == 0) return "";
  if (!name || name->empty()) return plural(count, "GPU");
  constexpr std::string_view kMaker = "NVIDIA ";
  std::string short_name = truncate(*name);
  if (short_name.starts_with(kMaker)) short_name.erase(0, kMaker.size());
  return fmt::format("{}\u00A0× {}", count_text(count), short_name);
}

std::string hardware_text(const result::Result& result) {
  std::int64_t cores = 0;
  for (const result::Node& node : result.job.nodes)
    cores += node.cores.value_or(0);
  std::vector<std::string> parts;
  if (result.job.nodes.size() > 1) parts.push_back(plural(std::ssize(result.job.nodes), "node"));
  if (std::string gpus = gpus_text(result); !gpus.empty()) parts.push_back(std::move(gpus));
  if (cores > 0) parts.push_back(plural(cores, "CPU"));
  if (parts.empty() && result.job.instance_type) return truncate(*result.job.instance_type);
  return fmt::format("{}", fmt::join(parts, ", "));
}

/// Findings beside the verdict's, gravest of them first as they come: those that call for action,
/// and notes on a part of the bar too large to pass over.
json further_view(const result::Result& result) {
  json out = json::array();
  for (const std::size_t at : reading_order(result)) {
    const result::Finding& finding = result.findings[at];
    if (result.verdict.finding == at ||
        (finding.severity == result::Severity::info && finding.score < kLargeNote))
      continue;
    if (out.size() == kFurtherShown) break;
    const LostShare lost = lost_share(finding.kind, finding.score, result.waste);
    out.push_back(
        {{"mark", badge_view(badge_of(finding.severity))},
         {"id", std::string{"finding-"} + to_text(finding.kind)},
         {"title", keep_units_together(printable(finding.title))},
         {"share", finding.score > 0 ? json(fmt::format("{} of {}{}", share_words(lost.share),
                                                        time_noun(result.waste), lost.of))
                                     : json(nullptr)}});
  }
  return out;
}

/// "4 of 9 rules triggered". Empty where findings explain all of them, and of a healthy job: what
/// they saw costs next to nothing then.
std::string rules_text(const result::Result& result) {
  std::int64_t run = 0;
  std::int64_t triggered = 0;
  std::int64_t explained = 0;
  for (const result::RuleRow& rule : result.rules) {
    if (!can_trigger(rule) || rule.status == result::RuleStatus::not_evaluated) continue;
    ++run;
    if (rule.status != result::RuleStatus::issue_found) continue;
    ++triggered;
    explained += rule.explained_by.empty() ? 0 : 1;
  }
  if (triggered == explained || result.verdict.healthy) return "";
  return fmt::format("{} of {} rules triggered", triggered, run);
}

/// "2 findings and 1 note".
std::string findings_text(const std::vector<result::Finding>& findings) {
  const std::int64_t notes =
      std::count_if(findings.begin(), findings.end(), [](const result::Finding& finding) {
        return finding.severity == result::Severity::info;
      });
  const std::int64_t others = std::ssize(findings) - notes;
  std::vector<std::string> parts;
  if (others > 0) parts.push_back(plural(others, "finding"));
  if (notes > 0) parts.push_back(plural(notes, "note"));
  return parts.empty() ? "No findings" : join_and(parts);
}

std::string data_text(const result::DataQuality& quality) {
  std::int64_t files = 0;
  for (const result::SourceRow& source : quality.sources)
    files += static_cast<std::int64_t>(source.files);
  if (files == 0) return "";
  return plural(files, "file") + " read" + (quality.complete ? ", nothing lost" : "");
}

json notes_view(const result::Result& result) {
  json out = json::array();
  for (const std::string& text :
       {findings_text(result.findings), rules_text(result), data_text(result.data_quality)})
    if (!text.empty()) out.push_back(text);
  return out;
}

json shares_view(const result::Result& result, Placeholders& placeholders) {
  const result::Waste& waste = result.waste;
  const ShareBar bar = share_bar(waste, "Where the time went");
  if (bar.parts.empty()) return nullptr;
  json legend = json::array();
  for (const chart::StripPart& part : bar.parts)
    legend.push_back({{"fill", part.color.light},
                      {"class", part.color.name},
                      {"words", keep_units_together(part.words)}});
  constexpr double kHeight = 28;
  return {{"title", where_it_went(waste)},
          {"total", keep_units_together(waste_time(waste, *waste.paid))},
          {"basis", waste.basis},
          {"svg", placeholders.keep(chart::strip_bar(bar.label, bar.parts, kHeight))},
          {"legend", std::move(legend)}};
}

/// The gate's answer, and the checks that failed with how far they are off.
json gate_view(const result::Result& result, Placeholders& placeholders) {
  if (!result.gate) return nullptr;
  constexpr std::size_t kFailedShown = 3;
  const StatusBadge& badge = gate_badge(*result.gate);
  json failed = json::array();
  for (const result::Assertion& check : result.gate->assertions) {
    if (check.status != result::AssertionStatus::failed || failed.size() == kFailedShown) break;
    const std::string margin = check_margin(check);
    failed.push_back({{"name", printable(check.name)},
                      {"found", keep_units_together(printable(check.found))},
                      {"expected", keep_units_together(printable(check.expected))},
                      {"is_number", !margin.empty()},
                      {"margin", margin.empty() ? 0 : placeholders.keep(margin)}});
  }
  json out = badge_view(badge);
  out["text"] = gate_sentence(*result.gate);
  out["failed"] = std::move(failed);
  return out;
}

/// "1.25 kWh", "12.5 Wh": three digits.
std::string energy_text(double kilowatt_hours) {
  const bool small = kilowatt_hours < 1;
  const double value = small ? 1000 * kilowatt_hours : kilowatt_hours;
  return fmt::format("{:.{}f} {} GPU energy", value,
                     value < 9.995   ? 2
                     : value < 99.95 ? 1
                                     : 0,
                     small ? "Wh" : "kWh");
}

bool was_stopped(const result::JobSummary& job) {
  return job.status == "Stopped" &&
         std::any_of(job.actions.begin(), job.actions.end(),
                     [](const result::RecorderAction& one) { return one.action == "stop"; });
}

} // namespace

std::vector<std::string> job_facts(const result::Result& result) {
  std::vector<std::string> out;
  const result::JobSummary& job = result.job;
  if (job.span) out.push_back(to_human_duration(in_seconds(job.span->length())));
  if (std::string text = hardware_text(result); !text.empty()) out.push_back(std::move(text));
  if (job.framework && !job.framework->empty()) out.push_back(truncate(*job.framework));
  if (job.span) out.push_back(date_text(job.span->first));
  if (job.gpu_energy_kwh)
    out.push_back(
        energy_text(*job.gpu_energy_kwh) +
        (job.gpu_energy_cost ? fmt::format(" ({})", money_text(*job.gpu_energy_cost)) : ""));
  if (job.status == "InProgress" && job.span)
    out.push_back("running, as of " + to_readable_time(job.span->last));
  else if (job.status && !job.status->empty())
    out.push_back(truncate(*job.status) + (was_stopped(job) ? " by debrief" : ""));
  for (std::string& text : out)
    text = keep_units_together(text);
  return out;
}

json tiles_view(const result::Result& result) {
  const Alarms alarms{result.findings};
  const result::Headline& headline = result.headline;
  if (headline.empty()) return json::array(); // six dashes say less than none
  return {busy_tile(result, alarms),  iteration_tile(result, alarms),
          step_tile(result),          memory_tile(headline, alarms),
          cpu_tile(headline, alarms), startup_tile(result, alarms)};
}

json verdict_view(const result::Result& result) {
  const auto summary = summary_of(result.verdict, result.findings);
  if (!summary) return nullptr;
  const result::VerdictSummary& verdict = *summary;
  json actions = json::array();
  for (const std::string& action : verdict.actions)
    if (actions.size() < kActionsShown)
      actions.push_back(runs_of(keep_units_together(printable(action))));
  json out = badge_view(badge_of(verdict));
  out["title"] = keep_units_together(printable(verdict.title));
  out["why"] = keep_units_together(printable(verdict.why));
  out["actions"] = std::move(actions);
  out["confidence"] = capitalized(fmt::format("{} confidence", to_text(verdict.confidence)));
  out["cost"] = nullptr;
  const result::Waste& waste = result.waste;
  if (waste.paid && *waste.paid > 0) {
    const bool healthy = !verdict.kind;
    const std::string noun{time_noun(waste)};
    if (healthy || verdict.score > 0) {
      const double idle = waste.lost_percent / 100;
      const LostShare part = healthy ? LostShare{idle, "", idle * *waste.paid}
                                     : lost_share(*verdict.kind, verdict.score, waste);
      out["cost"] = {
          {"label", capitalized(noun) + " lost"},
          {"value", percent_text(100 * part.share)},
          {"to", healthy ? std::string{"all causes combined"}
                         : fmt::format("to {}{}", lost_to(*verdict.kind, waste), part.of)},
          {"money", waste.price
                        ? json(fmt::format("{} of {}", money_text(part.hours * *waste.price),
                                           money_text(*waste.paid * *waste.price)))
                        : json(nullptr)}};
    }
  }
  return out;
}

json summary_view(const result::Result& result, const std::vector<MadeSection>& sections,
                  Placeholders& placeholders) {
  json links = json::array();
  for (const auto& [id, words] :
       {std::pair{"timeline", "Open the timeline"}, std::pair{"one-step", "Open one step"},
        std::pair{"gpu-operators", "See the largest kernels"}})
    if (find_with_data(sections, id) != nullptr) links.push_back({{"id", id}, {"text", words}});
  return {{"gate", gate_view(result, placeholders)},
          {"verdict", verdict_view(result)},
          {"further", further_view(result)},
          {"shares", shares_view(result, placeholders)},
          {"when", when_view(result, placeholders)},
          {"tiles", tiles_view(result)},
          {"notes", notes_view(result)},
          {"links", std::move(links)}};
}

} // namespace debrief::render
