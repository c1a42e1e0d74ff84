#include "aggregate/balance.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace debrief::aggregate {

double histogram_distance(std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
  const auto size = [](std::span<const std::int64_t> counts) {
    return static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::int64_t{0}));
  };
  const double size_a = size(a);
  const double size_b = size(b);
  if (size_a <= 0 || size_b <= 0) return 0;
  double divergence = 0;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const double p = static_cast<double>(a[i]) / size_a;
    const double q = static_cast<double>(b[i]) / size_b;
    const double middle = (p + q) / 2;
    if (p > 0) divergence += p * std::log(p / middle) / 2;
    if (q > 0) divergence += q * std::log(q / middle) / 2;
  }
  return std::sqrt(std::max(divergence, 0.0)); // rounding may leave -1e-17
}

result::LoadBalance load_balance(const std::vector<result::DeviceRow>& devices) {
  std::vector<const result::DeviceRow*> gpus;
  for (const result::DeviceRow& device : devices)
    if (device.metric == "GPU" && !device.histogram.empty() && gpus.size() < kMaxCompared)
      gpus.push_back(&device);
  result::LoadBalance balance;
  for (std::size_t i = 0; i < gpus.size(); ++i)
    for (std::size_t j = i + 1; j < gpus.size(); ++j)
      balance.pairs.push_back(
          {gpus[i]->node, gpus[i]->device, gpus[j]->node, gpus[j]->device,
           histogram_distance(gpus[i]->histogram.counts, gpus[j]->histogram.counts)});
  std::stable_sort(balance.pairs.begin(), balance.pairs.end(),
                   [](const result::BalancePair& a, const result::BalancePair& b) {
                     return a.distance > b.distance;
                   });
  balance.pair_count = static_cast<std::int64_t>(balance.pairs.size());
  return balance;
}

} // namespace debrief::aggregate
