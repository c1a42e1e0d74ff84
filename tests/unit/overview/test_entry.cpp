#include "overview/entries.h"
#include "overview/entry.h"

#include <catch2/catch_test_macros.hpp>

namespace test_entry {

using namespace debrief;
using overview::Entry;

namespace {

std::vector<std::string> order_of(std::vector<Entry> entries) {
  overview::sort_worst_first(entries);
  std::vector<std::string> names;
  for (const Entry& entry : entries)
    names.push_back(entry.error.empty() ? entry.name : entry.input);
  return names;
}

} // namespace

TEST_CASE("the job that lost most comes first, one that failed last") {
  Entry unknown = test::job_entry("unknown", 1, 0);
  unknown.waste = {};
  CHECK(order_of({test::failed_entry("broken", "why"), unknown, test::job_entry("little", 9, 0.5),
                  test::job_entry("cpu", 50, 40, result::WasteUnit::node_hours),
                  test::job_entry("much", 9, 4), test::job_entry("none", 9, 0)}) ==
        std::vector<std::string>{"much", "little", "none", "cpu", "unknown", "broken"});
}

TEST_CASE("jobs that lost the same are in the order of their names, whichever was given first") {
  const Entry a = test::job_entry("a", 2, 1);
  const Entry b = test::job_entry("b", 4, 1);
  CHECK(order_of({b, a}) == std::vector<std::string>{"a", "b"});
  CHECK(order_of({a, b}) == std::vector<std::string>{"a", "b"});
}

TEST_CASE("an entry has what its result says, and knows what that does not say") {
  result::Result result;
  result.job.name = "job";
  result.job.span = TimeSpan{10 * kSecond, 40 * kSecond};
  result.job.nodes = {{"algo-1", 4, 2}, {"algo-2", 4, 6}};
  result.data_quality.complete = false;
  Entry entry;
  overview::fill(entry, result);
  CHECK(entry.name == "job");
  CHECK(entry.start == 10 * kSecond);
  CHECK(entry.seconds == 30);
  CHECK(entry.gpus == 8);
  CHECK_FALSE(entry.complete);
  CHECK_FALSE(overview::lost(entry, result::WasteUnit::gpu_hours).has_value());

  result.job.span.reset();
  result.job.nodes[1].gpus.reset();
  Entry less;
  overview::fill(less, result);
  CHECK_FALSE(less.start.has_value());
  CHECK_FALSE(less.seconds.has_value());
  CHECK_FALSE(less.gpus.has_value());
}

TEST_CASE("what is lost is of one unit") {
  Entry entry = test::job_entry("a", 10, 3);
  entry.waste.other = 0.5;
  CHECK(overview::lost(entry, result::WasteUnit::gpu_hours) == 3.5);
  CHECK_FALSE(overview::lost(entry, result::WasteUnit::node_hours).has_value());
}

} // namespace test_entry
