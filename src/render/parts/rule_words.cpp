#include "render/parts/rule_words.h"

#include "chart/bars.h"
#include "render/parts/cells.h"
#include "render/parts/chart.h"
#include "render/parts/format.h"
#include "result/rules.h"
#include "util/number_text.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::render {

namespace {

constexpr std::size_t kDrawnOfGroup = 5;

/// In the order in which a reader goes from the whole to the single.
constexpr std::array<std::string_view, 5> kOrder = {"phase", "general", "collective",
                                                    "cpu_operator", "gpu_operator"};

std::size_t place_of_group(const std::string& group) {
  return static_cast<std::size_t>(std::find(kOrder.begin(), kOrder.end(), group) - kOrder.begin());
}

/// "CPU operator" for "cpu_operator".
std::string group_words(const std::string& group) {
  if (group == "phase") return "Phase";
  if (group == "cpu_operator") return "CPU operator";
  if (group == "gpu_operator") return "GPU operator";
  if (group == "general") return "General operation";
  if (group == "collective") return "Collective";
  return printable(group);
}

/// In points; nothing where there is nothing to compare with, which sorts last.
std::optional<double> difference(const result::ActivityRow& row) {
  if (!row.outside_percent) return std::nullopt;
  return row.inside_percent - *row.outside_percent;
}

constexpr std::size_t kActivitiesShown = 10;

} // namespace

const result::RuleRow* find_rule(const result::Result& result, std::string_view name) {
  const auto found = std::find_if(result.rules.begin(), result.rules.end(),
                                  [name](const auto& rule) { return rule.rule == name; });
  return found == result.rules.end() ? nullptr : &*found;
}

bool can_trigger(const result::RuleRow& rule) {
  return rule.is_custom() || !rule.rule.starts_with("Overall");
}

std::string_view status_words(result::RuleStatus status) {
  switch (status) {
  case result::RuleStatus::issue_found:
    return "triggered";
  case result::RuleStatus::no_issue:
    return "did not trigger";
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
    return fmt::format("{} was not evaluated{}{}.", rule->rule, reason.empty() ? "" : ": ", reason);
  std::string out =
      rule->status == result::RuleStatus::issue_found
          ? fmt::format("{} triggered {}, with {} in {}", rule->rule,
                        plural(rule->triggered, "time"), plural(rule->violations, "violation"),
                        plural(rule->datapoints, "sample"))
          : fmt::format("{} did not trigger in {}", rule->rule, plural(rule->datapoints, "sample"));
  if (rule->recorded_by_sagemaker) out += ", by SageMaker's count";
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

/// Whether several of a thing ran side by side, workers for example: shares of time are above 100%
/// then, and say how many ran at once.
bool runs_at_once(const result::Activity& activity) {
  return std::any_of(activity.rows.begin(), activity.rows.end(), [](const auto& row) {
    return row.inside_percent > 100.05 || row.outside_percent.value_or(0) > 100.05;
  });
}

std::string activity_words(double percent, bool at_once) {
  return at_once ? fmt::format("{:.2f}", percent / 100) : exact_percent_text(percent);
}

std::string or_unknown(const std::optional<double>& value, bool at_once) {
  return value ? two_decimals(at_once ? *value / 100 : *value) : std::string{kUnknown};
}

} // namespace

std::optional<Chart> activity_chart(const result::Activity& activity, std::string_view during) {
  if (activity.empty()) return std::nullopt;
  std::vector<result::ActivityRow> rows = activity.rows;
  std::stable_sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    const auto place_a = place_of_group(a.group);
    const auto place_b = place_of_group(b.group);
    return place_a != place_b ? place_a < place_b : difference(a) > difference(b);
  });
  chart::PairedChart chart;
  chart.at_once = runs_at_once(activity);
  const auto words = [&](double percent) { return activity_words(percent, chart.at_once); };
  chart.first = fmt::format("during {}", during);
  chart.second = "otherwise";
  bool cut = false;
  std::string told;
  for (const result::ActivityRow& row : rows) {
    const std::string group = group_words(row.group);
    if (chart.groups.empty() || chart.groups.back().name != group)
      chart.groups.push_back({group, {}});
    auto& pairs = chart.groups.back().rows;
    if (pairs.size() == kDrawnOfGroup) {
      cut = true;
      continue;
    }
    if (pairs.empty()) // of each group the first, which differs most
      told += fmt::format("{}{} {} against {}", told.empty() ? ": " : "; ", truncate(row.name),
                          words(row.inside_percent),
                          row.outside_percent ? words(*row.outside_percent) : "not recorded");
    pairs.push_back({printable(row.name), row.inside_percent, row.outside_percent});
  }
  std::string caption = fmt::format("What ran during {} and otherwise", during);
  if (chart.at_once) caption += " (running at once)";
  if (cut) caption += fmt::format(", top {} of each kind", kDrawnOfGroup);
  chart.label = caption + told;
  return drawn_chart(
      std::move(caption), [&] { return draw(chart); },
      {{"0", chart.first, chart::kFirstOfPair}, {"1", chart.second, chart::kSecondOfPair}});
}

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
    section.say(
        most->inside_percent > 100.05
            ? fmt::format("During {} ({}), {} {} ran at once, against {} otherwise.", during,
                          to_human_duration(activity.inside_seconds),
                          activity_words(most->inside_percent, true), truncate(most->name),
                          activity_words(*most->outside_percent, true))
            : fmt::format("During {} ({}), {} {} of the recorded time, against {} otherwise.",
                          during, to_human_duration(activity.inside_seconds),
                          most->group == "phase" ? "no step was running for"
                                                 : truncate(most->name) + " ran for",
                          exact_percent_text(most->inside_percent),
                          exact_percent_text(*most->outside_percent)));
  section.draw(activity_chart(activity, during));
  const bool at_once = runs_at_once(activity);
  Table table(fmt::format("Work during {} and otherwise", during),
              {{"Work", Kind::head},
               {"Kind"},
               {"During", Kind::number},
               {at_once ? "Running during" : "Share during (%)", Kind::number},
               {at_once ? "Running otherwise" : "Share otherwise (%)", Kind::number},
               {at_once ? "Difference" : "Difference (points)", Kind::number}});
  for (const result::ActivityRow& row : rows)
    table.add({printable(row.name), group_words(row.group), duration_cell(row.inside_seconds),
               or_unknown(row.inside_percent, at_once), or_unknown(row.outside_percent, at_once),
               or_unknown(difference(row), at_once)});
  section.show(table, kActivitiesShown, "rows");
}

} // namespace debrief::render
