// The rules, SageMaker's and custom ones: what each found, when it held, and with which parameters.
#include "render/parts/cause_words.h"
#include "render/parts/cells.h"
#include "render/parts/format.h"
#include "render/parts/incident_lanes.h"
#include "render/parts/rule_words.h"
#include "render/parts/section.h"
#include "render/parts/status_badge.h"
#include "render/sections/sections.h"
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
constexpr std::size_t kTensorsShown = 10;
constexpr std::size_t kStepsShown = 8; ///< of a tensor, before the rest is counted

std::int64_t count_with(const Rules& rules, result::RuleStatus status) {
  return std::count_if(rules.begin(), rules.end(),
                       [status](const auto& rule) { return rule.status == status; });
}

/// What a finding calls its time, for a reader: "Waiting on data"; of none "No finding".
std::string explained_words(const result::RuleRow& rule) {
  if (rule.status != result::RuleStatus::issue_found || rule.incidents.empty())
    return std::string{kUnknown};
  if (rule.explained_by.empty()) return "No finding";
  const auto kind = result::from_text<result::FindingKind>(rule.explained_by);
  return kind ? kind_name(*kind) : printable(rule.explained_by);
}

/// ", 3 of them explained by findings"; empty: none is.
std::string explanation_words(const Rules& rules) {
  std::int64_t issues = 0;
  std::int64_t explained = 0;
  for (const result::RuleRow& rule : rules)
    if (rule.status == result::RuleStatus::issue_found) {
      ++issues;
      explained += rule.explained_by.empty() ? 0 : 1;
    }
  if (explained == 0) return "";
  return explained == issues ? std::string{", explained by findings"}
                             : fmt::format(", {} of them explained by findings", explained);
}

std::string take_away(const Rules& every_rule) {
  Rules rules;
  std::copy_if(every_rule.begin(), every_rule.end(), std::back_inserter(rules), can_trigger);
  const std::int64_t issues = count_with(rules, result::RuleStatus::issue_found);
  const std::int64_t silent = count_with(rules, result::RuleStatus::not_evaluated);
  const auto all = static_cast<std::int64_t>(rules.size());
  if (silent == all) return "No rule had enough data to run. The table says why.";
  std::string out = issues > 0 ? fmt::format("{} of {} triggered{}.", issues,
                                             plural(all - silent, "rule"), explanation_words(rules))
                               : fmt::format("None of {} triggered.", plural(all - silent, "rule"));
  if (silent > 0) out += fmt::format(" {} more did not have enough data to run.", grouped(silent));
  return out;
}

/// Status, and whose counts these are.
std::string status_text(const result::RuleRow& rule) {
  std::string out{status_words(rule.status)};
  if (rule.recorded_by_sagemaker) out += " (SageMaker)";
  return out;
}

/// Of a custom rule, as badges have it.
std::string severity_words(const result::RuleRow& rule) {
  return rule.severity ? std::string{badge_of(*rule.severity).word} : std::string{kUnknown};
}

Table summary_table(const Rules& rules) {
  Table table("Rules, most triggered first", {{"Rule", Kind::head},
                                              {"Status"},
                                              {"Severity"},
                                              {"Time", Kind::number},
                                              {"Explained by"},
                                              {"Triggered", Kind::number},
                                              {"Violations", Kind::number},
                                              {"Samples", Kind::number},
                                              {"Note", Kind::words}});
  for (const result::RuleRow& rule : rules) {
    const bool evaluated = rule.status != result::RuleStatus::not_evaluated;
    const auto figure = [&](std::int64_t number) {
      return evaluated ? count_cell(number) : Cell(kUnknown);
    };
    table.add({rule.rule, status_text(rule), severity_words(rule),
               rule.incident_count > 0 ? duration_cell(rule.clock_seconds) : Cell(kUnknown),
               explained_words(rule), figure(rule.triggered), figure(rule.violations),
               rule.datapoints > 0 ? count_cell(rule.datapoints) : figure(0),
               as_sentence(rule.reason)});
  }
  return table.drop_unknown();
}

/// "25, 26, 27 and 3 more".
std::string steps_words(const result::TensorFinding& found) {
  std::string out;
  const std::size_t shown = std::min(found.steps.size(), kStepsShown);
  for (std::size_t i = 0; i < shown; ++i)
    out += (i == 0 ? "" : ", ") + grouped(found.steps[i]);
  if (const auto more = found.step_count - static_cast<std::int64_t>(shown); more > 0)
    out += fmt::format(" and {} more", grouped(more));
  return out;
}

/// For which tensors a rule on the model triggered, with the value of the first step.
Table tensor_table(const result::RuleRow& rule) {
  Table table(fmt::format("{} tensors", rule.rule), {{"Tensor", Kind::head},
                                                     {"Condition", Kind::words},
                                                     {"Value", Kind::number},
                                                     {"Threshold", Kind::number},
                                                     {"Steps", Kind::number},
                                                     {"At steps", Kind::words}});
  for (const result::TensorFinding& found : rule.model.tensors)
    table.add(
        {printable(found.tensor),
         fmt::format("{}, {}", capitalized(printable(found.condition)), printable(found.relation)),
         scalar_cell(found.value), scalar_cell(found.threshold), count_cell(found.step_count),
         steps_words(found)});
  return table;
}

std::vector<Block> incident_blocks(const result::RuleRow& rule) {
  Table table(
      fmt::format("{} intervals", rule.rule),
      {{"Where", Kind::head}, {"From", Kind::time, "from"}, {"Duration", Kind::number}, {"What"}});
  for (const result::Incident& incident : rule.incidents)
    table.add({incident.node.empty() ? "The job" : incident_place(incident),
               to_iso8601(incident.span.first), duration_cell(in_seconds(incident.span.length())),
               printable(incident.what)});
  Section section;
  if (table.size() > 0) section.show(table.drop_unknown(), kIncidentsShown, "intervals");
  if (!rule.model.tensors.empty()) section.show(tensor_table(rule), kTensorsShown, "tensors");
  return std::move(section.blocks());
}

std::string incidents_sentence(const result::RuleRow& rule) {
  if (rule.incident_count == 0) return "";
  const auto listed = static_cast<std::int64_t>(rule.incidents.size());
  // Devices trigger side by side: the time on the clock is that of all together.
  std::string out = fmt::format("Triggered for {} in {}.", to_human_duration(rule.clock_seconds),
                                plural(rule.incident_count, "interval"));
  if (listed < rule.incident_count)
    out += fmt::format(" The table lists the longest {}.", grouped(listed));
  return out;
}

/// What to do. The rule knows the symptom, so where a finding has the cause that one speaks.
json advice_view(const result::RuleRow& rule) {
  if (rule.explained_by.empty())
    return {{"text",
             rule.recommendation.empty() ? "" : "What to do: " + as_sentence(rule.recommendation)},
            {"finding", nullptr}};
  return {{"text", "See the finding that explains it:"},
          {"finding",
           {{"id", "finding-" + printable(rule.explained_by)}, {"text", explained_words(rule)}}}};
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

/// `shows_layers`: the section on the model draws what the rule compares.
SectionItem rule_item(const result::RuleRow& rule, bool shows_layers) {
  json parameters = json::array();
  for (const auto& [name, value] : rule.parameters)
    parameters.push_back(printable(name) + " = " + printable(value));
  const std::string incidents = incidents_sentence(rule);
  return {{{"rule", rule.rule},
           {"status", status_text(rule)},
           {"class", status_class(rule.status)},
           {"open", rule.status == result::RuleStatus::issue_found && rule.explained_by.empty()},
           {"description", as_sentence(rule.description)},
           {"shows_layers", shows_layers},
           {"advice", advice_view(rule)},
           {"parameters", std::move(parameters)},
           {"incidents", incidents.empty() ? json(nullptr) : json(incidents)}},
          incident_blocks(rule)};
}

std::optional<Section> make_rules(const result::Result& result) {
  const Rules& rules = result.rules;
  Section section;
  if (rules.empty()) {
    section.note("No rule ran: they need system metrics, a framework timeline or SageMaker's rule "
                 "outputs (profiler-reports/*.json).");
  } else {
    section.say(take_away(rules));
    section.show(summary_table(rules));
  }
  if (std::any_of(rules.begin(), rules.end(),
                  [](const auto& rule) { return rule.recorded_by_sagemaker; }))
    section.note("Where the status says SageMaker, the counts come from its rule outputs; the data "
                 "behind them was not recorded.");
  if (std::any_of(rules.begin(), rules.end(), [](const auto& rule) { return rule.is_custom(); }))
    section.note("Rules with a severity are custom ones, from the config file. For them "
                 "“triggered” counts intervals or steps.");
  const std::vector<result::LayerMeasure>& measures = result.model.measures;
  for (const result::RuleRow& rule : rules)
    section.add(rule_item(rule, std::any_of(measures.begin(), measures.end(),
                                            [&](const result::LayerMeasure& measure) {
                                              return measure.rule == rule.rule;
                                            })));
  return section;
}

} // namespace

const SectionSpec kRulesSection = {
    .id = "rules",
    .heading = "Rules",
    .chapter = Chapter::rules,
    .how_to_read =
        "A rule sees a symptom. “Explained by” names the finding that covers at least "
        "80% of the rule's time and has the cause. A rule that triggered without one is "
        "open. “Time” is wall-clock time. “Triggered” counts windows times devices, "
        "“violations” the samples that broke the rule, “samples” all it looked at. Rules "
        "on the model look at saved tensors or logged losses: for them “triggered” "
        "counts steps, “violations” tensors at a step. A rule that triggers often does "
        "not always cost most.",
    .how_computed = "Each rule looks at the job in one-minute windows. Parameters changed from "
                    "their defaults are under Provenance. A rule without its data is not evaluated "
                    "and says why. docs/sagemaker-differences.md lists differences from SageMaker.",
    .make = make_rules,
    .body = "sections/rules.html",
};

} // namespace debrief::render
