#include "overview/entries.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

namespace test_totals {

using namespace debrief;
using Catch::Matchers::WithinAbs;

TEST_CASE("the parts of all jobs sum to what was paid for all of them") {
  overview::Entry first = test::job_entry("a", 10, 3);
  first.waste.busy = 5;
  first.waste.other = 1.5;
  first.waste.unmeasured = 0.5; // 5 + 3 + 1.5 + 0.5
  overview::Entry second = test::job_entry("b", 4, 1);
  second.waste.parts.push_back({result::FindingKind::slow_start, 2, 50, {}});
  second.waste.busy = 1; // 1 + 1 + 2
  const std::vector<overview::Entry> entries = {
      first, second, test::failed_entry("c", "why"),
      test::job_entry("cpu", 7, 1, result::WasteUnit::node_hours)};
  const result::Waste sum = overview::sum_of_waste(entries, result::WasteUnit::gpu_hours);
  CHECK(sum.paid == 14);
  CHECK_THAT(sum.busy, WithinAbs(6, 1e-12));
  CHECK_THAT(sum.other, WithinAbs(1.5, 1e-12));
  CHECK_THAT(sum.unmeasured, WithinAbs(0.5, 1e-12));
  REQUIRE(sum.parts.size() == 2);
  CHECK(sum.parts[0].kind == result::FindingKind::input_bound);
  CHECK_THAT(sum.parts[0].hours, WithinAbs(4, 1e-12));
  CHECK_THAT(sum.parts[0].percent, WithinAbs(400.0 / 14, 1e-9));
  CHECK_THAT(sum.parts[1].hours, WithinAbs(2, 1e-12));
  CHECK(overview::sum_of_waste(entries, result::WasteUnit::node_hours).paid == 7);
}

TEST_CASE("money is summed where all jobs have one price") {
  overview::Entry a = test::job_entry("a", 10, 3);
  overview::Entry b = test::job_entry("b", 10, 1);
  a.waste.price = b.waste.price = 2.5;
  const result::Waste sum = overview::sum_of_waste(std::vector{a, b}, result::WasteUnit::gpu_hours);
  CHECK(sum.price == 2.5);
  CHECK_THAT(*sum.parts[0].money, WithinAbs(10, 1e-12));
  b.waste.price.reset();
  CHECK_FALSE(
      overview::sum_of_waste(std::vector{a, b}, result::WasteUnit::gpu_hours).price.has_value());
  CHECK_FALSE(
      overview::sum_of_waste(std::vector{b, a}, result::WasteUnit::gpu_hours).price.has_value());
}

TEST_CASE("jobs of which nothing is known come to nothing that is known") {
  CHECK_FALSE(overview::sum_of_waste({}, result::WasteUnit::gpu_hours).paid.has_value());
  const std::vector<overview::Entry> failed = {test::failed_entry("a", "why")};
  CHECK_FALSE(overview::sum_of_waste(failed, result::WasteUnit::gpu_hours).paid.has_value());
}

} // namespace test_totals
