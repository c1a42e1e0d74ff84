#include "render/parts/bottlenecks.h"

#include "render/parts/cells.h"
#include "render/parts/devices.h"
#include "render/parts/format.h"
#include "render/parts/rule_words.h"
#include "render/parts/section.h"
#include "render/parts/share_chart.h"
#include "util/number_text.h"
#include "util/text.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <vector>

namespace debrief::render {

namespace {

/// The share of bottlenecks against the threshold.
std::string share_sentence(const result::RuleRow& rule, std::string_view kind) {
  if (rule.datapoints <= 0) return "";
  const double share =
      100.0 * static_cast<double>(rule.violations) / static_cast<double>(rule.datapoints);
  std::string out = fmt::format("{} of {} are {} bottlenecks: {}", grouped(rule.violations),
                                plural(rule.datapoints, "sample"), kind, exact_percent_text(share));
  if (const auto threshold = parameter(&rule, "threshold"))
    out += fmt::format(
        ", {} the threshold of {:g}%{}", share > *threshold ? "above" : "not above", *threshold,
        share <= *threshold && rule.triggered > 0 ? "; earlier in the job the share was above it"
                                                  : "");
  return out + '.';
}

std::optional<Chart> parts_chart(const result::RuleRow& rule, std::string_view kind) {
  std::vector<Share> shares;
  for (const result::DatapointPart& part : rule.parts)
    shares.push_back(
        {"", part.name, static_cast<double>(part.count), plural(part.count, "sample")});
  return share_chart(fmt::format("Samples by GPU state ({} bottlenecks)", kind), shares);
}

} // namespace

Section bottlenecks(const result::Result& result, std::string_view kind, std::string_view name) {
  const result::RuleRow* rule = find_rule(result, name);
  const auto no_gpu = why_no_gpu(result);
  if (rule == nullptr || rule->status == result::RuleStatus::not_evaluated) {
    if (no_gpu) return missing(*no_gpu);
    return missing(rule != nullptr ? outcome_sentence(rule)
                                   : "Bottlenecks are unknown: that needs system metrics.");
  }
  Section section;
  section.say(share_sentence(*rule, kind));
  section.say(outcome_sentence(rule));
  if (rule->recorded_by_sagemaker)
    section.note("The counts are SageMaker's own. It counts any idle GPU with any busy core as a "
                 "bottleneck, even on different nodes.");
  if (!rule->parts.empty()) {
    section.draw(parts_chart(*rule, kind));
    Table table(fmt::format("Samples with and without {} bottlenecks", kind),
                {{"GPU state", Kind::head},
                 {"Count", Kind::number},
                 {"Share (%)", Kind::number},
                 {"In order", Kind::bar}});
    double before = 0;
    for (const result::DatapointPart& part : rule->parts) {
      table.add({capitalized(printable(part.name)), count_cell(part.count),
                 two_decimals(part.percent), share_bar(part.percent, before)});
      before += part.percent;
    }
    section.show(table);
  }
  show_activity(section, rule->activity, fmt::format("{} bottlenecks", kind));
  return section;
}

} // namespace debrief::render
