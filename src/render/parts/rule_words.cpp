#include "render/parts/rule_words.h"

#include "render/parts/activity_chart.h"
#include "render/parts/cells.h"
#include "render/parts/format.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>

namespace debrief::render {

namespace {

constexpr std::size_t kActivitiesShown = 10;

} // namespace

const result::RuleRow* find_rule(const result::Result& result, std::string_view name) {
  const auto found = std::find_if(result.rules.begin(), result.rules.end(),
                                  [name](const auto& rule) { return rule.rule == name; });
  return found == result.rules.end() ? nullptr : &*found;
}

bool can_trigger(const result::RuleRow& rule) {
  return !rule.rule.starts_with("Overall");
}

std::string_view status_words(result::RuleStatus status) {
  switch (status) {
  case result::RuleStatus::issue_found:
    return "issue found";
  case result::RuleStatus::no_issue:
    return "no issue";
  case result::RuleStatus::not_evaluated:
    break;
  }
  return "not evaluated";
}

std::string as_sentence(std::string_view text) {
  std::string out = capitalized(printable(text));
  if (!out.empty() && out.back() != '.') out += '.';
  return out;
}

std::string outcome_sentence(const result::RuleRow* rule) {
  if (rule == nullptr) return "";
  std::string reason = printable(rule->reason);
  if (!reason.empty() && reason.back() == '.') reason.pop_back();
  if (rule->status == result::RuleStatus::not_evaluated)
    return fmt::format("The rule {} was not evaluated{}{}.", rule->rule, reason.empty() ? "" : ": ",
                       reason);
  std::string out =
      rule->status == result::RuleStatus::issue_found
          ? fmt::format("The rule {} found an issue: it triggered {}, with {} over {}", rule->rule,
                        counted(rule->triggered, "time"), counted(rule->violations, "violation"),
                        counted(rule->datapoints, "datapoint"))
          : fmt::format("The rule {} found no issue over {}", rule->rule,
                        counted(rule->datapoints, "datapoint"));
  if (rule->recorded_by_sagemaker) out += ", as SageMaker counted";
  out += '.';
  if (!reason.empty()) out += ' ' + as_sentence(reason);
  return out;
}

std::optional<double> parameter(const result::RuleRow* rule, std::string_view name) {
  if (rule == nullptr) return std::nullopt;
  for (const auto& [key, text] : rule->parameters) {
    double value = 0;
    const char* end = text.data() + text.size();
    if (key == name && std::from_chars(text.data(), end, value).ptr == end && !text.empty() &&
        std::isfinite(value))
      return value;
  }
  return std::nullopt;
}

namespace {

std::string or_unknown(const std::optional<double>& value) {
  return value ? two_decimals(*value) : std::string{kUnknown};
}

} // namespace

void show_activity(Section& section, const result::Activity& activity, std::string_view during) {
  if (activity.empty()) return;
  std::vector<result::ActivityRow> rows = activity.rows;
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return difference(a) > difference(b); });
  // That steps ran during steps says nothing.
  const auto most = std::find_if(rows.begin(), rows.end(), [](const auto& row) {
    return row.group != "phase" || row.name == "others";
  });
  if (most != rows.end() && difference(*most).value_or(0) > 0)
    section.say(fmt::format(
        "During {} ({}), {} {:.1f} % of the time in which such work was recorded, against {:.1f} % "
        "of the rest.",
        during, to_human_duration(activity.inside_seconds),
        most->group == "phase" ? "no step ran" : brief(most->name) + " was at work",
        most->inside_percent, *most->outside_percent));
  section.draw(activity_figure(activity, during));
  Table table(fmt::format("What ran during {}, and in the rest of the time", during),
              {{"Work", Kind::head},
               {"Kind"},
               {"During", Kind::number},
               {"Share during (%)", Kind::number},
               {"Share otherwise (%)", Kind::number},
               {"Difference (points)", Kind::number}});
  for (const result::ActivityRow& row : rows)
    table.add({printable(row.name), group_words(row.group), duration_cell(row.inside_seconds),
               two_decimals(row.inside_percent), or_unknown(row.outside_percent),
               or_unknown(difference(row))});
  section.show(table, kActivitiesShown, "kinds of work");
}

} // namespace debrief::render
