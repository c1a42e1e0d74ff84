#include "overview/entry.h"

#include "result/lost.h"

#include <algorithm>
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
  const auto least = [&](std::string_view unit) {
    const auto hours = lost(entry, unit);
    return hours ? -*hours : kNone;
  };
  return std::tuple{!entry.error.empty(), least("GPU-hours"), least("node-hours"),
                    std::string_view{entry.name}, std::string_view{entry.page}};
}

} // namespace

void fill(Entry& entry, const result::Result& result) {
  entry.name = result.job.name;
  entry.verdict = result.verdict;
  if (result.job.span) {
    entry.start = result.job.span->first;
    entry.seconds = in_seconds(result.job.span->length());
  }
  entry.gpus = gpus_of(result.job.nodes);
  entry.waste = result.waste;
  entry.complete = result.data_quality.complete;
}

std::optional<double> lost(const Entry& entry, std::string_view unit) {
  if (!entry.waste.paid || entry.waste.unit != unit) return std::nullopt;
  return result::lost_hours(entry.waste);
}

void sort_worst_first(std::vector<Entry>& entries) {
  std::sort(entries.begin(), entries.end(),
            [](const Entry& a, const Entry& b) { return order_of(a) < order_of(b); });
}

} // namespace debrief::overview
