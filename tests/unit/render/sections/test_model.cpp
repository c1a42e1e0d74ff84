#include "render/sections/sections.h"
#include "render/view_support.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <optional>
#include <string>
#include <vector>

namespace test_model_section {

using namespace debrief;
using namespace debrief::test;
using Catch::Matchers::ContainsSubstring;

namespace {

result::Result vanishing() {
  result::Result out;
  out.model.measures = {{"VanishingGradient",
                         "mean of absolute values",
                         "below",
                         1e-7,
                         {0, 1'200},
                         {{"gradient/a<b>", {3.2e-9, 2e-3}}, {"gradient/c", {0.5, std::nullopt}}},
                         5}};
  out.model.tensors = {{"weights", "a", {0, 1}, {-1, -2}, {0, 0}, {1, 2}}};
  result::RuleRow rule;
  rule.rule = "VanishingGradient";
  rule.status = result::RuleStatus::issue_found;
  rule.model.steps = {0, 10};
  rule.model.step_count = 2;
  out.rules = {rule};
  return out;
}

} // namespace

TEST_CASE("the section on the model says what is worst, and where") {
  const auto view = view_of(render::kModelSection, vanishing());
  CHECK(take_away(view) == "VanishingGradient triggered at 2 steps. The smallest gradient was "
                           "3.2e-9 on average, in gradient/a<b> at step 0.");
  CHECK(captions(view) ==
        std::vector<std::string>{
            "Steps at which rules triggered",
            "Gradient size by layer and step; VanishingGradient triggers below 1e-7; 2 of 5 layers",
            "a"});
  const auto charts = blocks(view, "chart");
  CHECK_THAT(charts[1]["svg"].get<std::string>(), ContainsSubstring("a&lt;b&gt;, 1,200: 0.002"));
  CHECK(charts[2]["group"] == "Values of weights (1 tensor)");
  CHECK(charts[2]["legend"].size() == 3);
}

TEST_CASE("a job without tensors has no section on the model") {
  CHECK_FALSE(render::kModelSection.make(result::Result{}));
}

TEST_CASE("a healthy model is said to be one") {
  result::Result result = vanishing();
  result.rules.clear();
  result.model.measures[0].rule = "DeadRelu";
  result.model.measures[0].what = "percentage of dead units";
  result.model.measures[0].layers = {{"relu_output_0", {0, 0}}};
  CHECK(take_away(view_of(render::kModelSection, result)) ==
        "No rule on the model triggered. No ReLU unit was dead.");
}

} // namespace test_model_section
