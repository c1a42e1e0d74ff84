#include "overview/entry.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>

namespace debrief::overview {

namespace {

std::optional<std::int64_t> gpus_of(const std::vector<result::Node>& nodes) {
  if (nodes.empty()) return std::nullopt;
  std::int64_t sum = 0;
  for (const result::Node& node : nodes) {
    if (!node.gpus) return std::nullopt;
    sum += *node.gpus;
  }
  return sum;
}

/// What the order goes by: the less, the earlier.
auto order_of(const Entry& entry) {
  constexpr double kNone = 1; // after every loss, which is 0 or less here
  const auto least = [&](result::WasteUnit unit) {
    const auto hours = lost(entry, unit);
    return hours ? -*hours : kNone;
  };
  return std::tuple{!entry.error.empty(), least(result::WasteUnit::gpu_hours),
                    least(result::WasteUnit::node_hours), std::string_view{entry.name},
                    std::string_view{entry.page}};
}

} // namespace

void fill(Entry& entry, const result::Result& result) {
  entry.name = result.job.name;
  entry.verdict = summary_of(result.verdict, result.findings).value_or(result::VerdictSummary{});
  if (result.job.span) {
    entry.start = result.job.span->first;
    entry.seconds = in_seconds(result.job.span->length());
  }
  entry.gpus = gpus_of(result.job.nodes);
  entry.waste = result.waste;
  entry.complete = result.data_quality.complete;
}

std::optional<double> lost(const Entry& entry, result::WasteUnit unit) {
  if (!entry.waste.paid || entry.waste.unit != unit) return std::nullopt;
  return result::lost_hours(entry.waste);
}

void sort_worst_first(std::vector<Entry>& entries) {
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return order_of(a) < order_of(b); });
}

result::Waste sum_of_waste(std::span<const Entry> entries, result::WasteUnit unit) {
  result::Waste sum;
  sum.unit = unit;
  std::map<result::FindingKind, double> parts;
  std::set<std::string> bases;
  for (const Entry& entry : entries) {
    const result::Waste& waste = entry.waste;
    if (!waste.paid || waste.unit != unit) continue;
    if (!sum.paid) sum.price = waste.price;
    if (sum.price != waste.price) sum.price.reset();
    sum.paid = sum.paid.value_or(0) + *waste.paid;
    sum.busy += waste.busy;
    sum.other += waste.other;
    sum.set_aside += waste.set_aside;
    sum.unmeasured += waste.unmeasured;
    for (const result::WastePart& part : waste.parts)
      parts[part.kind] += part.hours;
    bases.insert(waste.basis);
  }
  if (!sum.paid) return sum;
  sum.basis = bases.size() == 1 ? *bases.begin() : "what each job recorded";
  for (const auto& [kind, hours] : parts) {
    result::WastePart part{kind, hours, 100 * hours / *sum.paid, {}};
    if (sum.price) part.money = hours * *sum.price;
    sum.parts.push_back(part);
  }
  set_percents(sum);
  std::stable_sort(sum.parts.begin(), sum.parts.end(),
                   [](const auto& a, const auto& b) { return a.hours > b.hours; });
  return sum;
}

} // namespace debrief::overview
