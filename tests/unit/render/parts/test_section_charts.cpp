// Which sections have which drawings, and where.

#include "chart/drawing.h"
#include "render/example.h"
#include "render/page/html.h"
#include "render/page/view.h"
#include "render/view_support.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <set>
#include <string>

namespace test_view_figures {

using namespace debrief;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

namespace {

result::Result drawn_example(const std::string& name = "") {
  result::Result result = example_result(name);
  const result::Histogram histogram{{0, 50, 100}, {30, 70}};
  for (result::DeviceRow& device : result.devices)
    device.histogram = histogram;
  result.steps[0].histogram = {{0.07, 0.08, 0.09}, {400, 598}};
  result.data_loading.times[0].histogram = {{0, 0.5, 1}, {990, 10}};
  return result;
}

} // namespace

TEST_CASE("every section with shares, spreads or counts has its charts before its tables") {
  const result::Result result = drawn_example();
  const std::vector<std::pair<const render::SectionSpec*, std::size_t>> wanted = {
      {&render::kJobSection, 2},         {&render::kFrameworkSection, 3},
      {&render::kStepsSection, 2},       {&render::kGpuUtilizationSection, 0},
      {&render::kLoadBalanceSection, 1}, {&render::kDataLoadingSection, 1},
      {&render::kBatchSizeSection, 0},   {&render::kCpuBottlenecksSection, 2},
      {&render::kGpuMemorySection, 0},   {&render::kSystemUsageSection, 0},
  };
  for (const auto& [spec, count] : wanted) {
    INFO(spec->id);
    const auto view = view_of(*spec, result);
    CHECK(blocks(view, "chart").size() == count);
    REQUIRE(!view["blocks"].empty());
    CHECK(view["blocks"].back()["kind"] == "table");
  }
  CHECK(blocks(view_of(render::kIoBottlenecksSection, result), "chart").empty());
}

TEST_CASE("no two charts or tables of a page have the same caption") {
  std::set<std::string> captions;
  for (const render::MadeSection& section : render::make_sections(drawn_example()))
    for (const auto& block : view_of(section.content.blocks())) {
      if (!block.contains("caption")) continue;
      INFO(block["caption"]);
      CHECK(captions.insert(block["caption"]).second);
    }
  CHECK(captions.size() > 20);
}

TEST_CASE("time accounting names the greatest part and lays the parts end to end") {
  const auto view = view_of(render::kJobSection, example_result());
  CHECK(blocks(view, "take-away")[0]["text"] ==
        "The largest part of the 1 min 40 s is TRAIN: 1 min 20 s, 80.0%.");
  CHECK(cell(view, "Where the time went", 2, "Part") == "between steps");
  CHECK(cell(view, "Where the time went", 2, "Share (%)") == "5.00");
  CHECK(blocks(view, "table")[0]["rows"][2][3]["bar"][0]["x"] == "90");
  CHECK_THAT(blocks(view_of(render::kJobSection, result::Result{}), "note")
                 .at(0)["text"]
                 .get<std::string>(),
             ContainsSubstring("Where the time went is unknown"));
}

TEST_CASE("the job's bar has its three phases in proportion") {
  const auto figure = blocks(view_of(render::kJobSection, example_result()), "chart").at(0);
  const std::string svg = figure["svg"];
  CHECK(rectangles(svg, "c-compute").at(0).tip == "training loop: 85.0%, 1 min 25 s");
  CHECK(rectangles(svg, "c-compute").at(0).at("width") == Approx(0.85 * 760));
  CHECK(rectangles(svg, "c-startup").at(0).at("width") == Approx(0.10 * 760));
  CHECK(rectangles(svg, "c-idle").at(0).at("width") == Approx(0.05 * 760));
  CHECK(figure["legend"].at(2)["words"] == "shutdown: 5.0% (5 s)");
  result::Result without_end = example_result();
  without_end.job.training_loop_end.reset();
  CHECK(blocks(view_of(render::kJobSection, without_end), "chart").size() == 1); // time accounting
}

TEST_CASE("a usage row's bar goes from least to greatest, with the middle strong") {
  const auto view = view_of(render::kSystemUsageSection, example_result());
  const auto cell = blocks(view, "table").at(0)["rows"][0].back();
  CHECK(cell["text"] == "min 0%, median 90.0%, p99 99.5%, max 100.0%");
  CHECK(cell["bar"][0]["width"] == "100");
  CHECK(cell["bar"][1]["x"] == "90");
  CHECK(cell["bar"][1]["width"] == "9.5");
}

TEST_CASE("hostile names in drawings are text on the page") {
  const std::string html = render::to_html(drawn_example(kEvil));
  CHECK_THAT(html, !ContainsSubstring("<script>alert"));
  CHECK_THAT(html, !ContainsSubstring("<img"));
  CHECK_THAT(html, !ContainsSubstring("<!--"));
  CHECK_THAT(html, ContainsSubstring("<title>&lt;/title&gt;"));
}

TEST_CASE("of four GPUs and more there is a box for each, of fewer the table alone") {
  result::Result result = drawn_example();
  const auto charts = [&] {
    return blocks(view_of(render::kGpuUtilizationSection, result), "chart").size();
  };
  CHECK(charts() == 0);
  const auto gpu = std::find_if(result.devices.begin(), result.devices.end(),
                                [](const auto& row) { return row.metric == result::Metric::gpu; });
  REQUIRE(gpu != result.devices.end());
  const result::DeviceRow one = *gpu;
  result.devices.assign(4, one);
  CHECK(charts() == 1);
  result.devices.pop_back();
  CHECK(charts() == 0);
}

TEST_CASE("endless names leave the page's drawings small") {
  std::size_t drawings = 0;
  for (const render::MadeSection& section :
       render::make_sections(drawn_example(std::string(10'000, 'n'))))
    for (const auto& chart : blocks(view_of(section.content), "chart")) {
      CHECK(chart["svg"].get<std::string>().size() < 12'000);
      CHECK(chart["caption"].get<std::string>().size() < 400);
      for (const auto& entry : chart["legend"])
        CHECK(entry["words"].get<std::string>().size() < 200);
      ++drawings;
    }
  CHECK(drawings == 11);
}

} // namespace test_view_figures
