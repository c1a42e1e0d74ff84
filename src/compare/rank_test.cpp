#include "compare/rank_test.h"

#include <algorithm>

namespace debrief::compare {

namespace {

/// Twice the rank of each value, so that the mean rank of two equal values is a whole number.
std::vector<std::size_t> doubled_ranks(const std::vector<double>& values) {
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  std::vector<std::size_t> ranks;
  ranks.reserve(values.size());
  for (const double value : values) {
    const auto [first, last] = std::equal_range(sorted.begin(), sorted.end(), value);
    ranks.push_back(static_cast<std::size_t>(first - sorted.begin()) +
                    static_cast<std::size_t>(last - sorted.begin()) + 1);
  }
  return ranks;
}

/// In how many ways `size` of the ranks have each sum. A double holds such numbers exactly up to
/// 2^53; samples of 20 values can be dealt in 1.4e11 ways.
std::vector<double> ways_by_sum(const std::vector<std::size_t>& ranks, std::size_t size) {
  std::size_t all = 0;
  for (const std::size_t rank : ranks)
    all += rank;
  std::vector<std::vector<double>> ways(size + 1, std::vector<double>(all + 1));
  ways[0][0] = 1;
  for (const std::size_t rank : ranks)
    for (std::size_t taken = size; taken > 0; --taken)
      for (std::size_t sum = rank; sum <= all; ++sum)
        ways[taken][sum] += ways[taken - 1][sum - rank];
  return ways[size];
}

} // namespace

double rank_p_value(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> values = a;
  values.insert(values.end(), b.begin(), b.end());
  const std::vector<std::size_t> ranks = doubled_ranks(values);
  std::size_t found = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    found += ranks[i];
  const std::vector<double> ways = ways_by_sum(ranks, a.size());
  double below = 0;
  double above = 0;
  double all = 0;
  for (std::size_t sum = 0; sum < ways.size(); ++sum) {
    all += ways[sum];
    if (sum <= found) below += ways[sum];
    if (sum >= found) above += ways[sum];
  }
  return std::min(1.0, 2 * std::min(below, above) / all);
}

double min_rank_p_value(std::size_t a, std::size_t b) {
  double ways = 1;
  for (std::size_t i = 1; i <= a; ++i)
    ways = ways * static_cast<double>(b + i) / static_cast<double>(i);
  return std::min(1.0, 2 / ways);
}

} // namespace debrief::compare
