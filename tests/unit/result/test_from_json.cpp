// Results out of documents: what was written is read, and what is odd is absent.
#include "result/from_document.h"
#include "result/full_result.h"
#include "result/json.h"
#include "result/verdict.h"
#include "util/error.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>

namespace test_from_json {

using namespace debrief;
using nlohmann::json;
using test::from_document;

namespace {

json written(const json& document) {
  return result::to_json(result::from_json(document));
}

/// Whatever is read is written so that it is read and written alike.
void check_stable(const json& document) {
  const json once = written(document);
  CHECK(written(once) == once);
}

} // namespace

TEST_CASE("a full result is read as it was written") {
  const json document = result::to_json(test::full_result());
  CHECK(written(document).dump(2) == document.dump(2));
  const json nothing = result::to_json(result::Result{});
  CHECK(written(nothing).dump(2) == nothing.dump(2));
}

TEST_CASE("any value of a document may be odd") {
  constexpr std::size_t kApart = 7; // as many values are odd at once as can be without all being so
  const json document = result::to_json(test::full_result());
  const json leaves = document.flatten();
  for (const json& odd :
       {json(nullptr), json(true), json(-3), json(7.5), json(1e300), json("x"), json("2026-11-14")})
    for (std::size_t first = 0; first < kApart; ++first) {
      json changed = leaves;
      std::size_t at = 0;
      for (auto& [path, leaf] : changed.items())
        if (path != "/schema" && at++ % kApart == first) leaf = odd;
      check_stable(changed.unflatten());
    }
}

TEST_CASE("any part of a document may be odd") {
  const json document = result::to_json(test::full_result());
  for (const json& odd : {json(nullptr), json(3), json::array({1, "a", nullptr}), json::object()})
    for (const auto& [key, part] : document.items()) {
      if (key == "schema") continue;
      json changed = document;
      changed[key] = odd;
      check_stable(changed);
    }
}

TEST_CASE("what is missing or of another type is absent") {
  const result::Result result = from_document(
      {{"job", {{"start_time", "soon"}, {"status", 7}}},
       {"steps", {{{"mode", "TRAIN"}, {"p50", "fast"}, {"total_in_seconds", nullptr}}, 7}},
       {"system_usage", {{{"metric", "Steam"}, {"p50", 3}}}},
       {"waste", {{"paid", nullptr}}},
       {"data_quality", {{"nodes", {{{"node", "a"}}}}}}});
  CHECK_FALSE(result.job.span.has_value());
  CHECK_FALSE(result.job.status.has_value());
  REQUIRE(result.steps.size() == 1);
  CHECK(std::isnan(result.steps[0].p50));
  CHECK_FALSE(result.steps[0].total.has_value());
  CHECK(result.system_usage[0].metric == result::Metric::unknown);
  CHECK(result.waste.empty());
  CHECK(result.data_quality.nodes.empty()); // without its span
}

TEST_CASE("a document of 0.1.0 has another name for repairs, and does not say which finding its "
          "verdict is") {
  json document = result::to_json(test::full_result());
  document["verdict"].erase("finding");
  CHECK(result::from_json(document).verdict.finding == 0);
  document["data_quality"]["mended"] = document["data_quality"]["repaired"];
  document["data_quality"].erase("repaired");
  CHECK(written(document)["data_quality"]["repaired"] == document["data_quality"]["mended"]);
  document["verdict"]["kind"] = "slow_start";
  CHECK(test::verdict_name(result::from_json(document)).empty());
  document["verdict"]["kind"] = "healthy";
  CHECK(test::verdict_name(result::from_json(document)) == "healthy");
}

TEST_CASE("a verdict's finding has to be there") {
  json document = result::to_json(test::full_result());
  document["findings"] = json::array();
  CHECK(test::verdict_name(result::from_json(document)).empty());
}

TEST_CASE("only another schema is refused") {
  CHECK_THROWS_AS(result::from_json({{"schema", "debrief.result/2"}}), Error);
  CHECK_THROWS_AS(result::from_json(7), Error);
  CHECK_NOTHROW(result::from_json({{"schema", result::kSchema}}));
}

} // namespace test_from_json
