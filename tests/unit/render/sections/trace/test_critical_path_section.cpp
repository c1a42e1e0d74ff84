#include "render/view_support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_critical_path_section {

using namespace debrief;

namespace {

result::CriticalPath example_path(const char* which, double compute) {
  result::CriticalPath path;
  path.which = which;
  path.process = "rank 0";
  path.number = 3;
  path.us = 1000;
  for (const char* part : result::kPathParts)
    path.parts.push_back({part, 0, 0, 0});
  path.parts[0] = {"CPU operators", 1000 - compute, 100 - compute / 10, 100};
  path.parts[5] = {"compute", compute, compute / 10, 400};
  path.items = {{"gemm<float>", "compute", 4, compute, compute / 10},
                {"", "other host code", 2, 1000 - compute, 100 - compute / 10}};
  return path;
}

} // namespace

TEST_CASE("the section says the parts of the median step's path, and what could be gained") {
  result::Traces traces;
  traces.files.emplace_back();
  traces.critical_paths = {example_path("slowest", 500), example_path("median", 600)};
  traces.kernels.rows.emplace_back();
  traces.kernels.rows[0].name = "gemm<float>";
  traces.kernels.rows[0].short_name = "gemm";
  const nlohmann::json view = view_of(render::kCriticalPathSection, traces);
  CHECK(take_away(view) == "The critical path of step 3 of rank 0 (1 ms): compute 60.0% and CPU "
                           "operators 40.0%. The largest possible gain is from compute: without it "
                           "the step takes at least 600 µs instead of 1 ms.");
  const nlohmann::json& parts = view.at("blocks").at(1).at("rows");
  REQUIRE(parts.size() == 2); // of the median step: what takes no time is left out
  const nlohmann::json& items = view.at("blocks").at(2).at("rows");
  CHECK(items[0][0].at("text") == "gemm");
  CHECK(items[0][0].at("title") == "gemm<float>");
  CHECK(items[1][0].at("text") == "between operators");
}

TEST_CASE("without a path there is no section") {
  result::Traces traces;
  traces.files.emplace_back();
  CHECK(view_of(render::kCriticalPathSection, traces).is_null());
}

} // namespace test_critical_path_section
