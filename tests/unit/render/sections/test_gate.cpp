#include "render/sections/sections.h"
#include "render/view_support.h"
#include "result/full_result.h"

#include <catch2/catch_test_macros.hpp>

namespace test_gate_view {

using namespace debrief;
using nlohmann::json;

namespace {

json view_of_gate(result::Gate gate) {
  result::Result result;
  result.gate = std::move(gate);
  return view_of(render::kGateSection, result);
}

} // namespace

TEST_CASE("the gate says whether it passed, and each assertion what was found") {
  CHECK(view_of(render::kGateSection, result::Result{}).is_null());
  const json view = view_of(render::kGateSection, test::full_result());
  CHECK(view["badge"]["word"] == "Failed");
  CHECK(view["badge"]["class"] == "critical");
  CHECK(take_away(view) ==
        "1 of 3 checks failed, 1 could not be judged. Compared with job-before.");
  REQUIRE(view["blocks"].size() == 1);
  const json& rows = view["blocks"][0]["rows"];
  REQUIRE(rows.size() == 3);
  CHECK(rows[0][0]["text"] == "gpu.p50 >= 80");
  CHECK(rows[0][1]["text"] == "Failed");
  CHECK(rows[0][2]["text"] == "70%");
  CHECK(rows[0][3]["text"] == ">= 80%");
  CHECK(rows[1][1]["text"] == "Skipped");
}

TEST_CASE("a gate that demands nothing, and one with a hostile baseline") {
  json view = view_of_gate(result::Gate{.passed = true, .baseline = "", .assertions = {}});
  CHECK(view["badge"]["word"] == "Passed");
  CHECK(take_away(view) == "None of 0 checks failed.");
  CHECK(view["blocks"].empty());
  view = view_of_gate(result::Gate{.passed = true, .baseline = "a\nb\u202e", .assertions = {}});
  CHECK(take_away(view) == "None of 0 checks failed. Compared with a\\nb\\u{202e}.");
}

} // namespace test_gate_view
