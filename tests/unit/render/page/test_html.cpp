#include "render/example.h"
#include "render/page/embedded.h"
#include "render/page/html.h"
#include "render/page/view.h"
#include "render/parts/format.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <set>
#include <string>

namespace test_html {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("numbers are grouped for reading") {
  CHECK(render::grouped(0) == "0");
  CHECK(render::grouped(999) == "999");
  CHECK(render::grouped(48'470) == "48,470");
  CHECK(render::grouped(-1'234'567) == "-1,234,567");
}

TEST_CASE("values carry the unit of their row") {
  CHECK(render::in_unit(93.254, "%") == "93.25");
  CHECK(render::in_unit(1'250'000, "B/s") == "1.25 MB");
  CHECK(render::two_decimals(std::nullopt) == "–");
}

TEST_CASE("the page has the figures") {
  const std::string html = render::to_html(example_result());
  CHECK_THAT(html, ContainsSubstring("<td>93.25</td>"));
  CHECK_THAT(html,
             ContainsSubstring("10\u00A0s before the first step and 5\u00A0s after the last"));
  CHECK_THAT(html, ContainsSubstring("debrief 1.2.3"));
}

TEST_CASE("the page allows its own script and style and nothing else") {
  const std::string html = render::to_html(example_result());
  CHECK_THAT(html, ContainsSubstring("default-src &apos;none&apos;"));
  CHECK_THAT(html, ContainsSubstring(std::string{render::embedded_script_hash()}));
  CHECK_THAT(html, ContainsSubstring(std::string{render::embedded_style_hash()}));
  CHECK_THAT(html, !ContainsSubstring("http://") && !ContainsSubstring("https://"));
}

TEST_CASE("names of a job never become markup") {
  result::Result result = example_result();
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

TEST_CASE("names in any section never become markup, and are shown as they are") {
  const std::string html = render::to_html(example_result(kEvil));
  CHECK_THAT(html, !ContainsSubstring("<script>alert"));
  CHECK_THAT(html, !ContainsSubstring("<img"));
  CHECK_THAT(html, !ContainsSubstring("\u202e"));
  CHECK_THAT(html, !ContainsSubstring(">49<"));
  // Each section that has data has the name in a cell or a sentence of its own.
  std::size_t named = 0;
  for (const render::MadeSection& section : render::make_sections(example_result(kEvil))) {
    const std::string id = section.spec->id;
    INFO(id);
    const std::size_t at = html.find("<section id=\"" + id + "\"");
    REQUIRE(at != html.npos);
    const std::string part = html.substr(at, html.find("</section>", at) - at);
    const bool is_named = part.find(kEvilShown) != part.npos;
    named += is_named ? 1 : 0;
    // The others show no name of this job: nothing was found, timed or lost.
    static const std::set<std::string> kNameless = {
        "findings", "timeline", "data-quality", "data-loading", "io-bottlenecks", "not-recorded"};
    if (!kNameless.contains(id)) CHECK(is_named == section.content.has_data());
  }
  CHECK(named >= 13);
}

TEST_CASE("addresses are unique, and old ones still lead to their section") {
  std::set<std::string> ids;
  std::set<std::string> chapters;
  for (const render::SectionSpec* spec : render::report_sections())
    chapters.insert(render::words_of(spec->chapter).id);
  for (const render::SectionSpec* spec : render::report_sections())
    if (chapters.contains(spec->id))
      CHECK(std::string{render::words_of(spec->chapter).id} == spec->id);
  const std::string html = render::to_html(example_result());
  for (const render::SectionSpec* spec : render::report_sections()) {
    CHECK(ids.insert(spec->id).second);
    if (spec->old_id == nullptr) continue;
    CHECK(ids.insert(spec->old_id).second);
    CHECK_THAT(html, ContainsSubstring("<section id=\"" + std::string{spec->id} +
                                       "\" aria-labelledby=\"" + spec->id +
                                       "-title\">\n<span id=\"" + spec->old_id + "\"></span>"));
  }
  CHECK(ids.contains("workload-balancing"));
}

TEST_CASE("a closed chapter says once what its first section does; an open one leaves it there") {
  result::Result result = example_result();
  const auto count = [&](const std::string& text) {
    const std::string html = render::to_html(result);
    std::size_t found = 0;
    for (std::size_t at = html.find(text); at != html.npos; at = html.find(text, at + 1))
      ++found;
    return found;
  };
  const render::SectionSpec& steps = render::kStepsSection;
  const std::string takeaway = steps.make(result)->takeaway();
  REQUIRE_FALSE(takeaway.empty());
  CHECK(count("<h2 id=\"training-title\">Training</h2>\n<span class=\"take-away\">" + takeaway) ==
        1);
  CHECK(count(takeaway) == 1);
  result::Finding stalls;
  stalls.kind = result::FindingKind::step_stalls;
  stalls.severity = result::Severity::warning;
  result.findings = {stalls};
  CHECK(count("<details open>\n<summary><h2 id=\"training-title\">Training</h2></summary>") == 1);
  CHECK(count("<p class=\"take-away\">" + takeaway) == 1);
  CHECK(count(takeaway) == 1);
}

TEST_CASE("a job of which nothing is known has a page that says what is missing of every section") {
  const std::string html = render::to_html(result::Result{});
  std::size_t at = 0;      // sections come in the registry's order
  std::size_t missing = 0; // and so do the lines on those without data
  for (const render::SectionSpec* spec : render::report_sections()) {
    INFO(spec->id);
    const std::string section = "<section id=\"" + std::string{spec->id} + "\"";
    const std::string link = "<a href=\"#" + std::string{spec->id} + "\"";
    if (!spec->make(result::Result{})) {
      CHECK_THAT(html, !ContainsSubstring(section) && !ContainsSubstring(link));
      continue;
    }
    if (!spec->make(result::Result{})->has_data()) {
      CHECK_THAT(html, !ContainsSubstring(section) && !ContainsSubstring(link));
      missing = html.find("<li id=\"" + std::string{spec->id} + "\"><strong>", missing);
      REQUIRE(missing != html.npos);
      continue;
    }
    CHECK_THAT(html, ContainsSubstring(link));
    at = html.find(section, at);
    REQUIRE(at != html.npos);
  }
  CHECK_THAT(html, ContainsSubstring("start and end were not recorded."));
  CHECK_THAT(html, ContainsSubstring("No system metrics"));
}

TEST_CASE("samples are in the page, within its size, and it says what was thinned") {
  result::Result result = example_result();
  CHECK_THAT(render::to_html(result), !ContainsSubstring("id=\"timeline-index\""));
  result::MetricTimeline metric{result::Metric::cpu, "%", {}, {}, {"cpu0"}, {{}}};
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    metric.times.push_back(i * kSecond);
    metric.whole.push_back(static_cast<float>((i * 2'654'435'761U ^ i * i) % 10'007) / 101);
    metric.values[0].push_back(metric.whole.back());
  }
  result.timeline.span = {metric.times.front(), metric.times.back()};
  result.timeline.nodes = {{kEvil, {metric}}};
  std::size_t text = 0;
  const std::string whole = render::to_html(result, {.text_done = [&] { ++text; }});
  CHECK(text == 1);
  CHECK_THAT(whole, ContainsSubstring("<script type=\"application/json\" id=\"timeline-index\">{"));
  CHECK_THAT(whole, ContainsSubstring("id=\"timeline-1\""));
  CHECK_THAT(whole, !ContainsSubstring("<script>alert"));
  CHECK_THAT(whole, !ContainsSubstring("each point stands for"));
  const std::size_t limit = whole.size() - 20'000;
  const std::string thinned = render::to_html(result, {.max_size = limit});
  CHECK(thinned.size() <= limit);
  CHECK_THAT(thinned, ContainsSubstring("<p class=\"note\">Cores: each point stands for"));
}

TEST_CASE("two runs give the same bytes") {
  CHECK(render::to_html(example_result()) == render::to_html(example_result()));
}

TEST_CASE("script, style and the report's templates keep to the shell's budget of 200 kB") {
  std::size_t size = render::embedded_script().size() + render::embedded_style().size();
  for (const render::EmbeddedTemplate& part : render::embedded_templates())
    if (part.name != "diff.html" && part.name != "overview.html") size += part.text.size();
  CHECK(size > 50'000); // all of them are there
  CHECK(size <= 200'000);
}

TEST_CASE("the head warns only where there is something to warn of") {
  result::Result result = example_result();
  result.data_quality = {};
  CHECK_THAT(render::to_html(result), !ContainsSubstring("Read with care"));
  result.data_quality.clock_skew = {{"algo-2", 37}};
  CHECK_THAT(render::to_html(result),
             ContainsSubstring("The clock of algo-2 is probably 37 s ahead."));
}

} // namespace test_html
