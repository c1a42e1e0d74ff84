#include "finding_support.h"
#include "findings/memory_climb.h"

namespace test_memory_climb {

using namespace debrief;
using namespace debrief::test;

namespace {

/// A sample every half second, the last at at(end).
std::optional<findings::MemoryClimb> climb_of(const std::vector<double>& values) {
  job::Job job;
  add(job, {"gpu", "gpu0", "GPUMemoryUsedBytes"}, values);
  return findings::memory_climb(job.metrics, at(static_cast<double>(values.size() - 1) / 2));
}

std::vector<double> line(std::size_t count, double from, double to) {
  std::vector<double> values;
  for (std::size_t i = 0; i < count; ++i)
    values.push_back(from + (to - from) * static_cast<double>(i) / static_cast<double>(count - 1));
  return values;
}

std::vector<double> joined(std::vector<double> first, const std::vector<double>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

} // namespace

TEST_CASE("memory that climbs to the end has a foot, a top and a rate") {
  const auto climb = climb_of(line(41, 20e9, 100e9));
  REQUIRE(climb);
  CHECK(climb->device == "gpu0");
  CHECK(climb->from == 20e9);
  CHECK(climb->to == 100e9);
  CHECK(climb->per_second() == 4e9);
  CHECK(climb->since_start);
}

TEST_CASE("a model that is loaded at once is no part of the climb") {
  const auto climb = climb_of(joined(flat(10, 0), line(21, 60e9, 100e9)));
  REQUIRE(climb);
  CHECK(climb->from == 60e9);
  CHECK(climb->since_start);
}

TEST_CASE("a climb that begins late says so") {
  const auto climb = climb_of(joined(flat(60, 50e9), line(20, 51e9, 100e9)));
  REQUIRE(climb);
  CHECK_FALSE(climb->since_start);
}

TEST_CASE("memory that jumps, falls, or hardly grows does not climb") {
  CHECK_FALSE(climb_of(joined(flat(20, 10e9), flat(20, 100e9))));
  CHECK_FALSE(climb_of(flat(40, 100e9)));
  CHECK_FALSE(climb_of(line(41, 95e9, 100e9)));
  CHECK_FALSE(climb_of(joined(line(20, 10e9, 90e9), line(5, 50e9, 100e9))));
  CHECK_FALSE(climb_of(line(5, 10e9, 100e9)));
  CHECK_FALSE(climb_of(flat(40, 0)));
  CHECK_FALSE(findings::memory_climb({}, at(10)));
}

} // namespace test_memory_climb
