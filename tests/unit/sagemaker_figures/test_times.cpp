#include "sagemaker_figures/breaks.h"
#include "sagemaker_figures/figures.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_times {

using namespace debrief;
using test::at;

namespace {

constexpr const char* kTimes =
    R"({"step_num": {"first": 1700000020000000, "last": 1700000090000000},
  "job_start": 1700000000.5, "job_end": 1700000100})";

result::JobSummary times_of(const std::string& details) {
  result::JobSummary summary;
  sagemaker_figures::recorded_times(test::recorded_job("MaxInitializationTime", details), summary);
  return summary;
}

} // namespace

TEST_CASE("a job's span and first step are recorded, the last step's end is not") {
  const auto found = times_of(kTimes);
  REQUIRE(found.span);
  CHECK(*found.span == TimeSpan{at(0.5), at(100)});
  CHECK(found.training_loop_start == at(20));
  CHECK_FALSE(found.training_loop_end);
}

TEST_CASE("a job without steps has an empty object for them") {
  const auto found =
      times_of(R"({"step_num": {}, "job_start": 1700000000, "job_end": 1700000001})");
  CHECK(found.span);
  CHECK_FALSE(found.training_loop_start);
}

TEST_CASE("times that cannot be are not taken") {
  const auto span_of = [](const std::string& start, const std::string& end) {
    return times_of(R"({"job_start": )" + start + R"(, "job_end": )" + end + "}").span;
  };
  CHECK(span_of("1700000000", "1700000000"));
  CHECK_FALSE(span_of("1700000001", "1700000000"));         // ends before it starts
  CHECK_FALSE(span_of("0", "1700000000"));                  // not of this century
  CHECK_FALSE(span_of("1700000000", "1e300"));              // in no calendar
  CHECK_FALSE(span_of("-1700000000", "1700000000"));        // before the epoch
  CHECK_FALSE(span_of("\"1700000000\"", "1700000000"));     // a text
  CHECK_FALSE(span_of("1700000000000000", "1700000001e6")); // microseconds
}

TEST_CASE("a first step outside of the job is not taken") {
  for (const char* first : {"1699999999000000", "1700000101000000", "1700000020", "\"x\"", "null"})
    CHECK_FALSE(times_of(R"({"step_num": {"first": )" + std::string{first} +
                         R"(}, "job_start": 1700000000, "job_end": 1700000100})")
                    .training_loop_start);
  CHECK_FALSE(times_of(R"({"step_num": {"first": 1700000020000000}})").training_loop_start);
}

TEST_CASE("without the rule's output nothing is set") {
  result::JobSummary summary;
  sagemaker_figures::recorded_times({}, summary);
  CHECK_FALSE(summary.span);
}

TEST_CASE("times with any part broken are read around") {
  test::for_each_break(kTimes, [](const nlohmann::json& details) {
    const auto found = times_of(details.dump());
    if (found.span) CHECK(found.span->length() >= 0);
    if (found.training_loop_start) CHECK(found.span->contains(*found.training_loop_start));
  });
}

} // namespace test_times
