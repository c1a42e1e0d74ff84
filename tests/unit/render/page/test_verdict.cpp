#include "render/page/html.h"
#include "render/page/summary.h"
#include "result/full_result.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_verdict_view {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;
using nlohmann::json;

TEST_CASE("the verdict has what, why, next and what it costs") {
  const json view = render::verdict_view(test::full_result());
  CHECK(view["word"] == "Critical");
  CHECK(view["class"] == "critical");
  CHECK(view["title"] == "The GPUs wait for data");
  REQUIRE(view["actions"].size() == 1);
  CHECK(view["actions"][0][0] == json{{"code", false}, {"text", "Set "}});
  CHECK(view["actions"][0][1]["words"][0]["text"] == "num_workers=8");
  CHECK(view["cost"]["label"] == "GPU time lost");
  CHECK(view["cost"]["value"] == "29%");
  CHECK(view["cost"]["to"] == "to waiting on data in the loop");
  CHECK(view["cost"]["money"] == "$0.05 of $0.19");
  CHECK(view["confidence"] == "High confidence");
}

TEST_CASE("healthy and insufficient data are calm") {
  result::Result result;
  CHECK(render::verdict_view(result).is_null());
  result.verdict.healthy = {result::Confidence::medium, "Busy", "A step takes 93 ms.", "Nothing."};
  json view = render::verdict_view(result);
  CHECK(view["word"] == "Healthy");
  CHECK(view["class"] == "healthy");
  CHECK(view["why"] == "A step takes 93\u00A0ms.");
  CHECK(view["confidence"] == "Medium confidence");
  CHECK(view["cost"].is_null());
  result.findings.emplace_back().kind = result::FindingKind::insufficient_data;
  result.verdict = {0, {}};
  view = render::verdict_view(result);
  CHECK(view["word"] == "Not enough data");
  CHECK(view["class"] == "info");
}

TEST_CASE("the verdict stands before everything else on the page, as text") {
  result::Result result = test::full_result();
  result.findings[0].title = "<b>bold</b>\u202e";
  const std::string html = render::to_html(result);
  const auto verdict = html.find("id=\"verdict\"");
  REQUIRE(verdict != std::string::npos);
  CHECK(html.find("</h1>") < verdict);
  CHECK(verdict < html.find("class=\"tiles\""));
  CHECK(html.find("class=\"tiles\"") < html.find("<section id=\"gate\""));
  CHECK(html.find("<section id=\"gate\"") < html.find("<section id=\"findings\""));
  CHECK(html.find("<section id=\"findings\"") < html.find("<section id=\"timeline\""));
  CHECK_THAT(html, !ContainsSubstring("<b>bold"));
  CHECK_THAT(html, ContainsSubstring("&lt;b&gt;bold&lt;/b&gt;\\u{202e}"));
  result.verdict = {};
  result.gate.reset();
  const std::string without = render::to_html(result);
  CHECK_THAT(without, !ContainsSubstring("id=\"verdict\""));
  CHECK_THAT(without, !ContainsSubstring("id=\"gate\""));
}

} // namespace test_verdict_view
