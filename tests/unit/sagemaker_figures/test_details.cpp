#include "sagemaker_figures/details.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

#include <limits>

namespace test_details {

using namespace debrief;
using nlohmann::json;

TEST_CASE("a rule's output is found by its name") {
  const job::Job job = test::recorded_job("StepOutlier", "{}", 7);
  REQUIRE(sagemaker_figures::find_recorded(job, "StepOutlier") != nullptr);
  CHECK(sagemaker_figures::find_recorded(job, "StepOutlier")->datapoints == 7);
  CHECK(sagemaker_figures::find_recorded(job, "Dataloader") == nullptr);
  CHECK(sagemaker_figures::find_recorded({}, "StepOutlier") == nullptr);
}

TEST_CASE("a member is given as what it is") {
  const json object = json::parse(
      R"({"object": {"a": 1}, "number": 2.5, "count": 3, "flag": false, "text": "NaN"})");
  REQUIRE(sagemaker_figures::object_in(object, "object") != nullptr);
  CHECK(sagemaker_figures::object_in(object, "object")->size() == 1);
  CHECK(sagemaker_figures::number_in(object, "number") == 2.5);
  CHECK(sagemaker_figures::number_in(object, "count") == 3);
  CHECK(sagemaker_figures::count_in(object, "count") == 3);
  CHECK(sagemaker_figures::flag_in(object, "flag") == false);
  CHECK(sagemaker_figures::text_in(object, "text") == "NaN");
}

TEST_CASE("a member of another type, or none, is absent") {
  const json object = json::parse(
      R"({"list": [1], "text": "12", "nan": "NaN", "null": null, "flag": true, "number": 1})");
  for (const char* key : {"list", "text", "nan", "null", "flag", "missing", ""}) {
    CHECK(sagemaker_figures::object_in(object, key) == nullptr);
    CHECK_FALSE(sagemaker_figures::number_in(object, key));
    CHECK_FALSE(sagemaker_figures::count_in(object, key));
  }
  CHECK_FALSE(sagemaker_figures::flag_in(object, "number"));
  CHECK_FALSE(sagemaker_figures::text_in(object, "number"));
}

TEST_CASE("what is no object has no members") {
  for (const char* text : {"null", "1", "\"a\"", "[1, 2]", "true"}) {
    const json value = json::parse(text);
    CHECK(sagemaker_figures::object_in(value, "a") == nullptr);
    CHECK_FALSE(sagemaker_figures::number_in(value, "a"));
    CHECK_FALSE(sagemaker_figures::flag_in(value, "a"));
    CHECK_FALSE(sagemaker_figures::text_in(value, "a"));
    CHECK(sagemaker_figures::histogram_in(value).empty());
  }
}

TEST_CASE("a count is neither negative nor beyond what numbers can count") {
  const json object = json::parse(
      R"({"negative": -1, "part": 3.7, "huge": 1e300, "wrapped": 18446744073709551615, "zero": 0})");
  CHECK_FALSE(sagemaker_figures::count_in(object, "negative"));
  CHECK_FALSE(sagemaker_figures::count_in(object, "huge"));
  CHECK_FALSE(sagemaker_figures::count_in(object, "wrapped"));
  CHECK(sagemaker_figures::count_in(object, "part") == 3);
  CHECK(sagemaker_figures::count_in(object, "zero") == 0);
  CHECK(sagemaker_figures::number_in(object, "negative") == -1);
}

TEST_CASE("numbers that are none are absent") {
  json object;
  object["nan"] = std::numeric_limits<double>::quiet_NaN();
  object["infinite"] = std::numeric_limits<double>::infinity();
  CHECK_FALSE(sagemaker_figures::number_in(object, "nan"));
  CHECK_FALSE(sagemaker_figures::number_in(object, "infinite"));
  CHECK_FALSE(sagemaker_figures::count_in(object, "infinite"));
}

TEST_CASE("a histogram has one edge more than counts, in order") {
  const auto read = [](const char* text) {
    return sagemaker_figures::histogram_in(json::parse(text));
  };
  const auto found = read(R"({"probs": [1, 0, 2], "binedges": [0, 0.5, 1, 1.5]})");
  CHECK(found.counts == std::vector<std::int64_t>{1, 0, 2});
  CHECK(found.edges == std::vector{0.0, 0.5, 1.0, 1.5});
  CHECK(read(R"({"probs": [1, 2], "binedges": [0, 1]})").empty());
  CHECK(read(R"({"probs": [1], "binedges": [1, 0]})").empty());
  CHECK(read(R"({"probs": [-1], "binedges": [0, 1]})").empty());
  CHECK(read(R"({"probs": ["1"], "binedges": [0, 1]})").empty());
  CHECK(read(R"({"probs": [1], "binedges": [0, null]})").empty());
  CHECK(read(R"({"probs": {"a": 1}, "binedges": [0, 1]})").empty());
  CHECK(read(R"({"probs": [1]})").empty());
  CHECK(read(R"({"binedges": [1]})").empty());
  CHECK(read(R"({"probs": [], "binedges": [1]})").empty());
}

TEST_CASE("a histogram that no one can have counted is none") {
  const auto read = [](const std::string& count) {
    return sagemaker_figures::histogram_in(
        json::parse(R"({"probs": [)" + count + R"(, 1], "binedges": [0, 1, 2]})"));
  };
  CHECK(read("9000000000000000").counts.size() == 2);
  CHECK(read("9223372036854775807").empty()); // one more would overflow
  CHECK(read("18446744073709551615").empty());
  CHECK(read("1.5").empty());
  json long_one;
  long_one["probs"] = json(std::vector<int>(1001, 1));
  long_one["binedges"] = json(std::vector<int>(1002, 1));
  CHECK(sagemaker_figures::histogram_in(long_one).empty());
}

} // namespace test_details
