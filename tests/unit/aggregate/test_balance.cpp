#include "aggregate/usage.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

#include <cmath>

namespace test_balance {

using namespace debrief;
using Catch::Matchers::WithinAbs;

using Counts = std::vector<std::int64_t>;

namespace {

result::DeviceRow device(const std::string& node, const std::string& name, Counts counts,
                         const std::string& metric = "GPU") {
  result::DeviceRow row;
  row.node = node;
  row.device = name;
  row.metric = *result::from_text<result::Metric>(metric);
  row.histogram.edges.resize(counts.size() + 1);
  row.histogram.counts = std::move(counts);
  return row;
}

} // namespace

TEST_CASE("the distance is scipy's Jensen-Shannon distance") {
  // scipy.spatial.distance.jensenshannon(p, q), natural logarithm. By hand for [1, 1, 0] and
  // [0, 1, 1]: the middle is 1/4, 1/2, 1/4, each divergence is 1/2 ln 2, and sqrt(ln 2 / 2) is
  // 0.588705.
  CHECK_THAT(aggregate::histogram_distance(Counts{1, 1, 0}, Counts{0, 1, 1}),
             WithinAbs(0.5887050112577373, 1e-12));
  CHECK_THAT(aggregate::histogram_distance(Counts{3, 1}, Counts{1, 3}),
             WithinAbs(0.3616794657443756, 1e-12));
  CHECK_THAT(aggregate::histogram_distance(Counts{10, 0, 0, 0}, Counts{5, 3, 0, 2}),
             WithinAbs(0.46450140402245893, 1e-12));
}

TEST_CASE("the distance has its ends: the same shape, nothing in common") {
  CHECK(aggregate::histogram_distance(Counts{2, 2}, Counts{200, 200}) == 0);
  CHECK_THAT(aggregate::histogram_distance(Counts{1, 2, 3, 7}, Counts{3, 6, 9, 21}),
             WithinAbs(0, 1e-7));
  CHECK_THAT(aggregate::histogram_distance(Counts{1, 0}, Counts{0, 5}),
             WithinAbs(std::sqrt(std::log(2)), 1e-12));
}

TEST_CASE("the distance is the same both ways") {
  const Counts a = {5, 0, 1, 7};
  const Counts b = {1, 9, 0, 2};
  CHECK_THAT(aggregate::histogram_distance(a, b),
             WithinAbs(aggregate::histogram_distance(b, a), 1e-15));
}

TEST_CASE("an empty histogram is at no distance") {
  CHECK(aggregate::histogram_distance({}, {}) == 0);
  CHECK(aggregate::histogram_distance(Counts{0, 0}, Counts{1, 1}) == 0);
}

TEST_CASE("every pair of GPUs is compared, of all nodes, the most different first") {
  const auto found = aggregate::load_balance(
      {device("algo-1", "cpu", {9, 0}, "CPU"), device("algo-1", "gpu0", {1, 3}),
       device("algo-1", "gpu1", {3, 1}), device("algo-1", "gpu1", {0, 9}, "GPU memory"),
       device("algo-2", "gpu0", {0, 4}), device("algo-2", "gpu1", {})});
  CHECK(found.pair_count == 3);
  REQUIRE(found.pairs.size() == 3);
  CHECK(found.pairs[0].first_node == "algo-1");
  CHECK(found.pairs[0].first == "gpu1");
  CHECK(found.pairs[0].second_node == "algo-2");
  CHECK(found.pairs[0].second == "gpu0");
  CHECK(found.pairs[0].distance > found.pairs[1].distance);
  CHECK(found.pairs[1].distance > found.pairs[2].distance);
}

TEST_CASE("an idle GPU beside a busy one is far away") {
  const auto found = aggregate::load_balance(
      {device("algo-1", "gpu0", {10, 0, 90}), device("algo-1", "gpu1", {100, 0, 0})});
  CHECK(found.pairs.at(0).distance > 0.2);
}

TEST_CASE("one GPU or none cannot be out of balance") {
  CHECK(aggregate::load_balance({}).pairs.empty());
  CHECK(aggregate::load_balance({device("algo-1", "gpu0", {1})}).pair_count == 0);
}

} // namespace test_balance
