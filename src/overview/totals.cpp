#include "overview/totals.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>

namespace debrief::overview {

result::Waste sum_of_waste(std::span<const Entry> entries, std::string_view unit) {
  result::Waste sum;
  std::map<std::string, double> parts;
  std::set<std::string> bases;
  for (const Entry& entry : entries) {
    const result::Waste& waste = entry.waste;
    if (!waste.paid || waste.unit != unit) continue;
    if (!sum.paid) sum.price = waste.price;
    if (sum.price != waste.price) sum.price.reset();
    sum.paid = sum.paid.value_or(0) + *waste.paid;
    sum.busy += waste.busy;
    sum.other += waste.other;
    sum.unmeasured += waste.unmeasured;
    for (const result::WastePart& part : waste.parts)
      parts[part.kind] += part.hours;
    bases.insert(waste.basis);
  }
  if (!sum.paid) return sum;
  sum.unit = unit;
  sum.basis = bases.size() == 1 ? *bases.begin() : "what each job recorded";
  for (const auto& [kind, hours] : parts) {
    result::WastePart part{kind, hours, 100 * hours / *sum.paid, {}};
    if (sum.price) part.money = hours * *sum.price;
    sum.parts.push_back(std::move(part));
  }
  std::stable_sort(sum.parts.begin(), sum.parts.end(),
                   [](const auto& a, const auto& b) { return a.hours > b.hours; });
  return sum;
}

} // namespace debrief::overview
