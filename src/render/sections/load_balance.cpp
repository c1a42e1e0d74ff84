#include "render/sections/load_balance.h"

#include "render/parts/device_table.h"
#include "render/parts/format.h"
#include "render/parts/rule_words.h"
#include "render/parts/section.h"
#include "render/sections/load_balance_charts.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace debrief::render {

namespace {

using nlohmann::json;

constexpr double kMaxDistance = 0.832554611; // sqrt(ln 2)

std::string take_away(const result::LoadBalance& balance, const result::RuleRow* rule) {
  const result::BalancePair& most = balance.pairs.front();
  std::string out =
      fmt::format("Of {} of GPUs, {} and {} differ most: {:.3f}, where 0 is alike and 0.833 as "
                  "different as can be",
                  counted(balance.pair_count, "pair"), device_name(most.first_node, most.first),
                  device_name(most.second_node, most.second), most.distance);
  const auto threshold = parameter(rule, "threshold");
  if (!threshold) return out + '.';
  const auto above = std::count_if(balance.pairs.begin(), balance.pairs.end(),
                                   [&](const auto& pair) { return pair.distance > *threshold; });
  const bool all_of_a_cut_list =
      above == static_cast<std::ptrdiff_t>(balance.pairs.size()) && above < balance.pair_count;
  return out + fmt::format("; {}{} above the threshold of {:g}.",
                           all_of_a_cut_list ? "at least " : "",
                           above == 0   ? "none is"
                           : above == 1 ? "1 is"
                                        : grouped(above) + " are",
                           *threshold);
}

} // namespace

json balance_view(const result::Result& result) {
  const result::RuleRow* rule = find_rule(result, "LoadBalancing");
  const result::LoadBalance& balance = result.load_balance;
  if (balance.pairs.empty()) {
    if (const auto reason = why_no_gpu(result)) return missing(*reason);
    if (devices_of(result, {"GPU"}).size() == 1)
      return missing("One GPU was recorded, so there is nothing to compare it with.");
    return missing("How the GPUs' work compares is not known: their utilization was not recorded.");
  }
  Section section;
  section.say(take_away(balance, rule));
  section.say(outcome_sentence(rule));
  if (const auto listed = static_cast<std::int64_t>(balance.pairs.size());
      listed < balance.pair_count)
    section.note(fmt::format("The {} pairs that differ most are listed.", grouped(listed)));
  const Devices gpus = devices_of(result, {"GPU"});
  section.draw(utilization_figure(gpus, balance));
  section.draw(distance_figure(gpus, balance, kMaxDistance));
  Table table("Distances between GPUs' utilization, greatest first", {{"GPU", Kind::head},
                                                                      {"Compared with"},
                                                                      {"Distance", Kind::number},
                                                                      {"0 to 0.833", Kind::bar}});
  for (const result::BalancePair& pair : balance.pairs)
    table.add({device_name(pair.first_node, pair.first), device_name(pair.second_node, pair.second),
               fmt::format("{:.3f}", pair.distance),
               Cell(fmt::format("{:.3f} of 0.833", pair.distance),
                    {{0, 100 * pair.distance / kMaxDistance}})});
  section.show(table, 10, "pairs");
  return section.view();
}

} // namespace debrief::render
