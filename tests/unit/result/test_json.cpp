#include "result/json.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

using namespace debrief;

namespace {

result::Result example() {
  result::Result result;
  result.job.name = "job";
  result.job.span = TimeSpan{1'700'000'000'000'000, 1'700'000'100'000'000};
  result.job.training_loop_start = 1'700'000'010'000'000;
  result.job.training_loop_end = 1'700'000'095'000'000;
  return result;
}

} // namespace

TEST_CASE("the phases of a job are whole and sum to its duration") {
  const auto job = result::to_json(example())["job"];
  CHECK(job["start_time"] == "2023-11-14T22:13:20.000000Z");
  CHECK(job["job_duration_in_seconds"] == 100.0);
  CHECK(job["initialization_in_seconds"] == 10.0);
  CHECK(job["training_loop_duration_in_seconds"] == 85.0);
  CHECK(job["finalization_in_seconds"] == 5.0);
  CHECK(job["initialization_percent"] == 10.0);
  CHECK(job["training_loop_percent"] == 85.0);
  CHECK(job["finalization_percent"] == 5.0);
}

TEST_CASE("what is not known is null") {
  const auto job = result::to_json(result::Result{})["job"];
  for (const char* key :
       {"start_time", "end_time", "job_duration_in_seconds", "training_loop_start",
        "initialization_in_seconds", "finalization_percent", "framework", "instance_count",
        "described_start_time"}) {
    CAPTURE(key);
    CHECK(job[key].is_null());
  }
}

TEST_CASE("numbers that JSON cannot hold become null, and text that is not UTF-8 stays text") {
  result::Result result = example();
  result.system_usage.push_back(
      {.node = "n\xFF", .metric = "CPU", .unit = "%", .max = NAN, .samples = {}});
  const std::string text = result::to_json_text(result);
  const auto parsed = nlohmann::json::parse(text);
  CHECK(parsed["system_usage"][0]["max"].is_null());
  CHECK(parsed["system_usage"][0]["node"] == "n\uFFFD");
  CHECK(parsed["schema"] == "debrief.result/1");
  CHECK(text.ends_with("}\n"));
}
