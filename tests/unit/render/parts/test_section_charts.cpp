// Which sections have which drawings, and where.

#include "chart/drawing.h"
#include "render/example.h"
#include "render/page/html.h"
#include "render/page/view.h"
#include "render/sections/job.h"
#include "render/view_support.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <set>
#include <string>

namespace test_view_figures {

using namespace debrief;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

namespace {

result::Result drawn_example(const std::string& name = "") {
  result::Result result = example_result(name);
  const result::Histogram histogram{{0, 50, 100}, {3, 7}};
  for (result::DeviceRow& device : result.devices)
    device.histogram = histogram;
  result.steps[0].histogram = {{0.07, 0.08, 0.09}, {400, 598}};
  result.data_loading.times[0].histogram = {{0, 0.5, 1}, {990, 10}};
  return result;
}

} // namespace

TEST_CASE("every section with shares, spreads or counts has its drawings before its tables") {
  const auto view = render::make_view(drawn_example());
  const std::vector<std::pair<const char*, std::size_t>> wanted = {
      {"accounting", 1}, {"framework", 5}, {"steps", 2}, {"gpu_utilization", 1},
      {"balance", 1},    {"loading", 1},   {"batch", 1}, {"cpu_bottlenecks", 2},
      {"gpu_memory", 1}, {"usage", 0},
  };
  for (const auto& [section, count] : wanted) {
    INFO(section);
    CHECK(blocks(view[section], "figure").size() == count);
    REQUIRE(!view[section]["blocks"].empty());
    CHECK(view[section]["blocks"].back()["kind"] == "table");
  }
  CHECK(blocks(view["io_bottlenecks"], "figure").empty());
  CHECK(view["job"]["figures"].size() == 1);
}

TEST_CASE("no two drawings or tables of a page have the same caption") {
  const auto view = render::make_view(drawn_example());
  std::set<std::string> captions;
  for (const auto& section : view)
    if (section.is_object() && section.contains("blocks"))
      for (const auto& block : section["blocks"]) {
        INFO(block["caption"]);
        CHECK(captions.insert(block["caption"]).second);
      }
  CHECK(captions.size() > 20);
}

TEST_CASE("the job's bar has its three phases in proportion") {
  const auto figure = render::job_view(example_result().job)["figures"].at(0);
  const std::string svg = figure["svg"];
  CHECK(rectangles(svg, "c-s0").at(0).tip == "training loop: 85.00 %, 1 min 25 s");
  CHECK(rectangles(svg, "c-s0").at(0).at("width") == Approx(0.85 * 760));
  CHECK(rectangles(svg, "c-s5").at(0).at("width") == Approx(0.10 * 760));
  CHECK(rectangles(svg, "c-rest").at(0).at("width") == Approx(0.05 * 760));
  CHECK(figure["legend"].at(2)["words"] == "finalization: 5.0 % (5 s)");
  result::JobSummary without_end = example_result().job;
  without_end.training_loop_end.reset();
  CHECK(render::job_view(without_end)["figures"].empty());
}

TEST_CASE("a usage row's bar goes from least to greatest, with the middle strong") {
  const auto view = render::make_view(example_result())["usage"];
  const auto cell = blocks(view, "table").at(0)["rows"][0].back();
  CHECK(cell["text"] == "least 0.0 %, median 90.0 %, 99th percentile 99.5 %, greatest 100.0 %");
  CHECK(cell["bar"][0]["width"] == "100");
  CHECK(cell["bar"][1]["x"] == "90");
  CHECK(cell["bar"][1]["width"] == "9.5");
}

TEST_CASE("hostile names in drawings are text on the page") {
  const std::string html = render::to_html(drawn_example(kEvil));
  CHECK_THAT(html, !ContainsSubstring("<script>alert"));
  CHECK_THAT(html, !ContainsSubstring("<img"));
  CHECK_THAT(html, !ContainsSubstring("<!--drawing"));
  CHECK_THAT(html, ContainsSubstring("<title>&lt;/title&gt;"));
}

TEST_CASE("endless names leave the page's drawings small") {
  const auto view = render::make_view(drawn_example(std::string(10'000, 'n')));
  std::size_t drawings = 0;
  for (const auto& section : view)
    if (section.is_object() && section.contains("blocks"))
      for (const auto& figure : blocks(section, "figure")) {
        CHECK(figure["svg"].get<std::string>().size() < 12'000);
        CHECK(figure["caption"].get<std::string>().size() < 400);
        for (const auto& entry : figure["legend"])
          CHECK(entry["words"].get<std::string>().size() < 200);
        ++drawings;
      }
  CHECK(drawings == 15);
}

} // namespace test_view_figures
