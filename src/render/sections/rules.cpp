// SageMaker's rules: what each found, when it held, and with which parameters.
#include "render/parts/cells.h"
#include "render/parts/format.h"
#include "render/parts/rule_words.h"
#include "render/parts/section.h"
#include "render/sections/sections.h"
#include "util/interval_set.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace debrief::render {

namespace {

using nlohmann::json;
using Rules = std::vector<result::RuleRow>;

constexpr std::size_t kIncidentsShown = 10;

std::int64_t count_with(const Rules& rules, result::RuleStatus status) {
  return std::count_if(rules.begin(), rules.end(),
                       [status](const auto& rule) { return rule.status == status; });
}

std::string take_away(const Rules& every_rule) {
  Rules rules;
  std::copy_if(every_rule.begin(), every_rule.end(), std::back_inserter(rules), can_trigger);
  const std::int64_t issues = count_with(rules, result::RuleStatus::issue_found);
  const std::int64_t silent = count_with(rules, result::RuleStatus::not_evaluated);
  const auto all = static_cast<std::int64_t>(rules.size());
  std::string out;
  if (issues > 0) {
    const auto most = std::find_if(rules.begin(), rules.end(), [](const auto& rule) {
      return rule.status == result::RuleStatus::issue_found;
    });
    out = fmt::format("{} of {} found an issue. {} triggered most: {}, over {}.", issues,
                      plural(all, "rule"), most->rule, plural(most->triggered, "time"),
                      plural(most->datapoints, "datapoint"));
  } else if (silent < all) {
    out = fmt::format("None of {} evaluated found an issue.", plural(all - silent, "rule"));
  }
  if (silent == all) return "No rule could be evaluated; the reasons are in the table.";
  if (silent > 0)
    out += fmt::format(" {} could not be evaluated, which says nothing good or bad about the job.",
                       grouped(silent));
  return out;
}

/// Status, and whose counts these are.
std::string status_text(const result::RuleRow& rule) {
  std::string out{status_words(rule.status)};
  if (rule.recorded_by_sagemaker) out += " (SageMaker)";
  return out;
}

Table summary_table(const Rules& rules) {
  Table table("Rules, most triggered first", {{"Rule", Kind::head},
                                              {"Status"},
                                              {"Triggered", Kind::number},
                                              {"Violations", Kind::number},
                                              {"Datapoints", Kind::number},
                                              {"Note", Kind::words}});
  for (const result::RuleRow& rule : rules) {
    const bool evaluated = rule.status != result::RuleStatus::not_evaluated;
    const auto figure = [&](std::int64_t number) {
      return evaluated ? count_cell(number) : Cell(kUnknown);
    };
    table.add({rule.rule, status_text(rule), figure(rule.triggered), figure(rule.violations),
               rule.datapoints > 0 ? count_cell(rule.datapoints) : figure(0),
               as_sentence(rule.reason)});
  }
  return table.drop_unknown();
}

std::string where(const result::Incident& incident) {
  if (incident.node.empty()) return "The job";
  return incident.device.empty() ? printable(incident.node)
                                 : device_name(incident.node, incident.device);
}

std::vector<Block> incident_blocks(const result::RuleRow& rule) {
  Table table(
      fmt::format("When {} held", rule.rule),
      {{"Where", Kind::head}, {"From", Kind::time, "from"}, {"Duration", Kind::number}, {"What"}});
  for (const result::Incident& incident : rule.incidents)
    table.add({where(incident), to_iso8601(incident.span.first),
               duration_cell(in_seconds(incident.span.length())), printable(incident.what)});
  Section section;
  if (table.size() > 0) section.show(table.drop_unknown(), kIncidentsShown, "stretches of time");
  return std::move(section.blocks());
}

std::string incidents_sentence(const result::RuleRow& rule) {
  if (rule.incident_count == 0) return "";
  const auto listed = static_cast<std::int64_t>(rule.incidents.size());
  const std::string intervals = plural(rule.incident_count, "interval");
  if (listed < rule.incident_count)
    return fmt::format("Triggered in {}. The longest {} are listed.", intervals, grouped(listed));
  // Devices trigger side by side: the time on the clock is that of all together.
  std::vector<TimeSpan> spans;
  for (const result::Incident& incident : rule.incidents)
    spans.push_back(incident.span);
  return fmt::format("Triggered for {} in {}.",
                     to_human_duration(in_seconds(total_length(merged(std::move(spans))))),
                     intervals);
}

/// The class that CSS knows an outcome by.
const char* status_class(result::RuleStatus status) {
  switch (status) {
  case result::RuleStatus::issue_found:
    return "found";
  case result::RuleStatus::no_issue:
    return "quiet";
  case result::RuleStatus::not_evaluated:
    break;
  }
  return "skipped";
}

SectionItem rule_item(const result::RuleRow& rule) {
  json parameters = json::array();
  for (const auto& [name, value] : rule.parameters)
    parameters.push_back(printable(name) + " = " + printable(value));
  const std::string incidents = incidents_sentence(rule);
  return {{{"rule", rule.rule},
           {"outcome", to_text(rule.status)},
           {"status", status_text(rule)},
           {"class", status_class(rule.status)},
           {"open", rule.status == result::RuleStatus::issue_found},
           {"description", as_sentence(rule.description)},
           {"recommendation", as_sentence(rule.recommendation)},
           {"parameters", std::move(parameters)},
           {"incidents", incidents.empty() ? json(nullptr) : json(incidents)}},
          incident_blocks(rule)};
}

std::optional<Section> make_rules(const result::Result& result) {
  const Rules& rules = result.rules;
  Section section;
  if (rules.empty()) {
    section.note("No rules: they need system metrics, a framework timeline or SageMaker's own rule "
                 "outputs (profiler-reports/*.json).");
  } else {
    section.say(take_away(rules));
    section.show(summary_table(rules));
  }
  if (std::any_of(rules.begin(), rules.end(),
                  [](const auto& rule) { return rule.recorded_by_sagemaker; }))
    section.note("Where the status says SageMaker, the counts are its own, read from its rule "
                 "outputs: what they were counted from is not there to count again.");
  for (const result::RuleRow& rule : rules)
    section.add(rule_item(rule));
  return section;
}

} // namespace

const SectionSpec kRulesSection = {
    .id = "rules",
    .heading = "Rules summary",
    .nav_label = "Rules",
    .group = Group::rules,
    .how_to_read = "A rule that found an issue is open, with its recommendation and the stretches "
                   "of time in which it held. “Triggered” counts the windows (times devices) in "
                   "which its condition held, “violations” the datapoints that broke it, "
                   "“datapoints” all it looked at. These are SageMaker's rules: they count "
                   "windows, and a rule that triggers often is not always the one that costs most.",
    .how_computed = "Each rule looks at the job in windows of a minute, with the parameters given; "
                    "those that differ from their defaults are under Provenance. A rule without "
                    "its data is not evaluated and says why. Where debrief counts differently from "
                    "SageMaker, docs/sagemaker-differences.md says how and why.",
    .make = make_rules,
    .body = "sections/rules.html",
};

} // namespace debrief::render
