#include "render/embedded.h"
#include "render/format.h"
#include "render/html.h"
#include "render/view.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

using namespace debrief;
using Catch::Matchers::ContainsSubstring;

namespace {

result::Result example() {
  result::Result result;
  result.job.name = "resnet50";
  result.job.span = TimeSpan{1'700'000'000'000'000, 1'700'000'100'000'000};
  result.job.training_loop_start = 1'700'000'010'000'000;
  result.job.training_loop_end = 1'700'000'095'000'000;
  result.system_usage.push_back({"algo-1", "GPU", "%", 100, 99.5, 93.25, 90, 0, 1310});
  result.provenance.version = "1.2.3";
  return result;
}

} // namespace

TEST_CASE("numbers are grouped for reading") {
  CHECK(render::grouped(0) == "0");
  CHECK(render::grouped(999) == "999");
  CHECK(render::grouped(48'470) == "48\u202F470");
  CHECK(render::grouped(-1'234'567) == "-1\u202F234\u202F567");
}

TEST_CASE("values carry the unit of their row") {
  CHECK(render::in_unit(93.254, "%") == "93.25");
  CHECK(render::in_unit(1'250'000, "B/s") == "1.25 MB");
  CHECK(render::two_decimals(std::nullopt) == "–");
}

TEST_CASE("the page has the figures") {
  const std::string html = render::to_html(example());
  CHECK_THAT(html, ContainsSubstring("<td class=\"number\">93.25</td>"));
  CHECK_THAT(html, ContainsSubstring("10 s before its first step and 5 s after its last"));
  CHECK_THAT(html, ContainsSubstring("debrief 1.2.3"));
}

TEST_CASE("the page allows its own script and style and nothing else") {
  const std::string html = render::to_html(example());
  CHECK_THAT(html, ContainsSubstring("default-src &apos;none&apos;"));
  CHECK_THAT(html, ContainsSubstring(std::string{render::embedded_script_hash()}));
  CHECK_THAT(html, ContainsSubstring(std::string{render::embedded_style_hash()}));
  CHECK_THAT(html, !ContainsSubstring("http://") && !ContainsSubstring("https://"));
}

TEST_CASE("names of a job never become markup") {
  result::Result result = example();
  const std::string evil =
      "</title></script><script>alert(1)</script>\"><img src=x onerror=alert(1)>{{ 7*7 }}";
  result.job.name = evil;
  result.job.framework = evil;
  result.job.hyperparameters[evil] = evil;
  result.system_usage[0].node = evil;
  result.data_quality.skipped.push_back({evil, 1, evil});
  result.data_quality.ignored.push_back({evil, evil});
  result.provenance.input = evil;
  const std::string html = render::to_html(result);
  CHECK_THAT(html, !ContainsSubstring("<script>alert"));
  CHECK_THAT(html, !ContainsSubstring("<img"));
  CHECK_THAT(html, ContainsSubstring("{{ 7*7 }}"));
  CHECK_THAT(html, !ContainsSubstring(">49<"));
}

TEST_CASE("a job of which nothing is known has a page") {
  const std::string html = render::to_html(result::Result{});
  CHECK_THAT(html, ContainsSubstring("When the job ran is not recorded."));
  CHECK_THAT(html, ContainsSubstring("No system metrics"));
}

TEST_CASE("two runs give the same bytes") {
  CHECK(render::to_html(example()) == render::to_html(example()));
}
