#include "aggregate/trace/figures.h"

#include <catch2/catch_test_macros.hpp>

namespace test_slowest_processes {

using namespace debrief;

namespace {

result::StepBreakdown step(const char* process, std::int64_t number, double kernel, double other,
                           std::optional<double> waited = {}) {
  result::StepBreakdown out;
  out.process = process;
  out.number = number;
  out.us = kernel + other;
  for (const char* part : result::kStepParts)
    out.parts.push_back({part, 0, 0});
  out.parts.front().us = kernel;
  out.parts.back().us = other;
  out.waited_us = waited;
  return out;
}

} // namespace

TEST_CASE("the slowest process of each part is named, with the median of all") {
  const std::vector<result::StepBreakdown> steps = {
      step("rank 0", 1, 10, 30, 5), step("rank 0", 2, 20, 30), step("rank 1", 1, 40, 10, 1),
      step("rank 2", 1, 20, 10, 2)};
  result::TraceFile file;
  file.process = "rank 1";
  file.rank = 1;
  const auto rows = aggregate::slowest_processes(steps, {file});
  REQUIRE(rows.size() == 4);
  CHECK(rows[0].part == "step");
  CHECK(rows[0].process == "rank 1");
  CHECK(rows[0].rank == 1);
  CHECK(rows[0].us == 50);
  CHECK(rows[0].median_us == 45);
  CHECK(rows[1].part == "kernel");
  CHECK(rows[1].us == 40);
  CHECK(rows[1].median_us == 20);
  CHECK(rows[2].part == "other");
  CHECK(rows[2].process == "rank 0");
  CHECK_FALSE(rows[2].rank);
  CHECK(rows[3].part == "waiting");
  CHECK(rows[3].us == 5); // of the steps of which it is known
  CHECK(rows[3].median_us == 2);
}

TEST_CASE("one process is not compared") {
  CHECK(aggregate::slowest_processes({step("rank 0", 1, 10, 30)}, {}).empty());
}

} // namespace test_slowest_processes
