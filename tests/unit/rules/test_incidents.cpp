#include "rules/details.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_incidents {

using namespace debrief;
using test::at;

namespace {

result::RuleRow filled(rules::IncidentList list) {
  result::RuleRow row;
  std::move(list).move_to(row);
  return row;
}

} // namespace

TEST_CASE("overlapping and touching stretches of one device are one incident") {
  rules::IncidentList list;
  list.add("algo-1", "gpu0", {at(60), at(120)});
  list.add("algo-1", "gpu0", {at(0), at(50)});
  list.add("algo-1", "gpu0", {at(50), at(60)});
  list.add("algo-1", "gpu0", {at(10), at(20)});
  list.add("algo-1", "gpu0", {at(130), at(140)});
  const auto row = filled(std::move(list));
  REQUIRE(row.incidents.size() == 2);
  CHECK(row.incidents[0].span == TimeSpan{at(0), at(120)});
  CHECK(row.incidents[1].span == TimeSpan{at(130), at(140)});
  CHECK(row.incident_count == 2);
  CHECK(row.incident_seconds == 130);
}

TEST_CASE("stretches of different nodes, devices and kinds stay apart, by time") {
  rules::IncidentList list;
  list.add("algo-1", "gpu0", {at(30), at(40)}, "low");
  list.add("algo-1", "gpu0", {at(20), at(40)}, "fluctuating");
  list.add("algo-1", "gpu1", {at(10), at(40)}, "low");
  list.add("algo-2", "gpu0", {at(0), at(40)}, "low");
  const auto row = filled(std::move(list));
  REQUIRE(row.incidents.size() == 4);
  CHECK(row.incidents[0].node == "algo-2");
  CHECK(row.incidents[1].device == "gpu1");
  CHECK(row.incidents[2].what == "fluctuating");
  CHECK(row.incidents[3].what == "low");
  CHECK(row.incident_seconds == 90); // 20 s of gpu0 on algo-1: what holds twice counts once
}

TEST_CASE("of too many incidents the longest are kept, by time, and all are counted") {
  rules::IncidentList list;
  for (int i = 0; i < 300; ++i) // every third is long
    list.add("algo-1", "", {at(10 * i), at(10 * i + (i % 3 == 0 ? 2 : 1))});
  const auto row = filled(std::move(list));
  CHECK(row.incident_count == 300);
  CHECK(row.incident_seconds == 400);
  REQUIRE(row.incidents.size() == result::kMaxIncidents);
  int with_two_seconds = 0;
  for (std::size_t i = 0; i < row.incidents.size(); ++i) {
    with_two_seconds += row.incidents[i].span.length() == 2 * kSecond ? 1 : 0;
    if (i > 0) CHECK(row.incidents[i - 1].span.first < row.incidents[i].span.first);
  }
  CHECK(with_two_seconds == 100);
}

TEST_CASE("a moment is an incident, and nothing is none") {
  rules::IncidentList list;
  list.add("algo-1", "", {at(5), at(5)});
  const auto row = filled(std::move(list));
  CHECK(row.incident_count == 1);
  CHECK(row.incident_seconds == 0);
  CHECK(filled({}).incidents.empty());
  CHECK(filled({}).incident_count == 0);
}

} // namespace test_incidents
