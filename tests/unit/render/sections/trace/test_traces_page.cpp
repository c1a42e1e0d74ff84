#include "render/page/html.h"
#include "render/page/view.h"
#include "render/parts/trace_words.h"
#include "render/sections/trace/example_traces.h"
#include "render/view_support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_traces_page {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr const char* kTraceSections[] = {"gpu-time",      "gpu-activity", "operator-performance",
                                          "communication", "allocator",    "annotations"};

std::string section(const std::string& html, const std::string& id) {
  const std::size_t at = html.find("<section id=\"" + id + "\"");
  REQUIRE(at != html.npos);
  return html.substr(at, html.find("</section>", at) - at);
}

} // namespace

TEST_CASE("without traces one line says how to record them, and their sections are not there") {
  const std::string html = render::to_html(example_result());
  CHECK_THAT(section(html, "not-recorded"),
             ContainsSubstring("<li id=\"step-breakdown\"><strong>Step breakdown.</strong> No "
                               "PyTorch traces were recorded."));
  CHECK_THAT(html, !ContainsSubstring("<a href=\"#step-breakdown\""));
  for (const std::string id : kTraceSections) {
    CHECK_THAT(html, !ContainsSubstring("<section id=\"" + id + "\""));
    CHECK_THAT(html, !ContainsSubstring("href=\"#" + id + "\""));
  }
}

TEST_CASE("with traces their sections are among those of the same subject") {
  result::Result result = example_result();
  result.traces = example_traces();
  const std::string html = render::to_html(result);
  std::size_t at = html.find("<section id=\"framework\"");
  for (const std::string id : {"step-breakdown", "annotations", "gpu-activity", "communication",
                               "allocator", "operator-performance", "rules"}) {
    CAPTURE(id);
    CHECK_THAT(html, ContainsSubstring("<a href=\"#" + id + "\""));
    const std::size_t next = html.find("<section id=\"" + id + "\"");
    REQUIRE(next != html.npos);
    CHECK(next > at);
    at = next;
  }
}

TEST_CASE("names in traces never become markup, and are shown as they are") {
  result::Result result = example_result(kEvil);
  result.traces = hostile_traces(kEvil);
  const std::string html = render::to_html(result);
  for (const char* markup : {"<script>alert", "<img", "\u202e", ">49<"})
    CHECK_THAT(html, !ContainsSubstring(markup));
  for (const std::string id :
       {"cpu-operators", "gpu-time", "gpu-operators", "step-breakdown", "gpu-activity",
        "operator-performance", "communication", "allocator", "annotations", "data-quality"}) {
    CAPTURE(id);
    CHECK_THAT(section(html, id), ContainsSubstring(kEvilShown));
  }
}

TEST_CASE("traces are listed with what they do not record, and their events by category") {
  result::Result result;
  result.traces = test::full_traces();
  const auto view = view_of(render::kDataQualitySection, result);
  CHECK(cell(view, "PyTorch traces", 0, "Rank") == "0");
  CHECK(cell(view, "PyTorch traces", 0, "Events") == "14");
  CHECK(cell(view, "PyTorch traces", 0, "GPUs") == "1 × NVIDIA H200");
  CHECK(cell(view, "PyTorch traces", 0, "Not recorded") == "stacks");
  CHECK(cell(view, "Events of PyTorch traces", 1, "Phase and category") == "X kernel");
  CHECK(cell(view_of(render::kDataQualitySection, result::Result{}), "PyTorch traces", 0, "File") ==
        "no such cell");
}

TEST_CASE("steps and data loading say their source where a job has both") {
  result::Result result = example_result();
  result.steps[0].source = result::kFromTimelines;
  result.data_loading.source = result::kFromTraces;
  CHECK_FALSE(render::has_both_sources(result));
  CHECK(cell(view_of(render::kStepsSection, result), "Step time by", 0, "Source") ==
        "no such cell");
  CHECK_FALSE(has_note(view_of(render::kDataLoadingSection, result), "Source"));
  result.traces = test::full_traces();
  CHECK(render::has_both_sources(result));
  CHECK(cell(view_of(render::kStepsSection, result), "Step time by", 0, "Source") ==
        "framework timelines");
  CHECK(has_note(view_of(render::kDataLoadingSection, result), "Source: PyTorch traces."));
  result.steps[0].source = result::kFromTraces; // nothing but traces
  CHECK_FALSE(render::has_both_sources(result));
}

TEST_CASE("figures of traces keep fractions of a microsecond") {
  const render::Cell cell = render::micros_cell(0.8125);
  CHECK(cell.text == "0.812 µs");
  CHECK(cell.raw == "0.8125");
  CHECK(cell.unit == "µs");
  CHECK(render::micros_cell(std::nullopt).text == "–");
  CHECK(render::share_text(1, 0) == "0%");
}

} // namespace test_traces_page
