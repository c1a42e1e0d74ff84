#include "repository.h"
#include "result/full_result.h"
#include "result/json.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>

namespace test_json {

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

std::string full_document() {
  std::ifstream file{test::repository() / "tests/unit/result/full_result.json"};
  return {std::istreambuf_iterator<char>{file}, {}};
}

/// A number as the document has it.
nlohmann::json shown(double value) {
  result::Result result;
  result.data_quality.described_interval = value;
  return result::to_json(result)["data_quality"]["described_interval_in_seconds"];
}

} // namespace

TEST_CASE("every figure of a full result is in its document") {
  const std::string expected = full_document();
  const auto document = nlohmann::json::parse(expected);
  const auto made = result::to_json(test::full_result());
  for (const auto& [key, part] : made.items())
    CHECK(part.dump(2) == document.value(key, nlohmann::json{}).dump(2));
  CHECK(result::to_json_text(test::full_result()) == expected);
}

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

TEST_CASE("numbers have six decimals, and a zero has no sign") {
  CHECK(shown(1.23456789).dump() == "1.234568");
  CHECK(shown(-1e-9).dump() == "0.0");
  CHECK(shown(1e300) == 1e300);
  CHECK(shown(std::numeric_limits<double>::max()) == std::numeric_limits<double>::max());
  CHECK(shown(INFINITY).is_null());
  CHECK(shown(-INFINITY).is_null());
}

TEST_CASE("numbers that JSON cannot hold become null, and text that is not UTF-8 stays text") {
  result::Result result = example();
  result.system_usage.push_back(
      {.node = "n\xFF", .metric = result::Metric::cpu, .unit = "%", .max = NAN, .samples = {}});
  const std::string text = result::to_json_text(result);
  const auto parsed = nlohmann::json::parse(text);
  CHECK(parsed["system_usage"][0]["max"].is_null());
  CHECK(parsed["system_usage"][0]["node"] == "n\uFFFD");
  CHECK(parsed["schema"] == "debrief.result/1");
  CHECK(text.ends_with("}\n"));
}

} // namespace test_json
