#include "chart/box_plot.h"
#include "chart/drawing.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <limits>
#include <string>

namespace test_box_plot {

using namespace debrief;
using namespace debrief::chart;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

/// Where a percentage lies, by the axis's labels.
double pixel_of(const std::string& svg, double percent) {
  double zero = 0;
  double hundred = 0;
  for (const Element& element : elements(svg)) {
    if (element.text == "0") zero = element.at("x");
    if (element.text == "100%") hundred = element.at("x");
  }
  return zero + percent / 100 * (hundred - zero);
}

BoxChart one_box() {
  return {"boxes", {{"GPU", series(0), {{"gpu0 of algo-1", 10, 40, 50, 70, 95, 55}}}}};
}

} // namespace

TEST_CASE("The parts of a box lie where the axis says") {
  const std::string svg = draw(one_box());
  const auto median = rectangles(svg, "c-ink").at(0);
  CHECK(median.at("x") + median.at("width") / 2 == Approx(pixel_of(svg, 50)));
  std::string box;
  std::string outline;
  for (const Element& element : elements(svg)) {
    if (element.name == "circle") CHECK(element.at("cx") == Approx(pixel_of(svg, 55)));
    if (element.name == "path" && element.attributes.contains("fill-opacity"))
      box = element.attributes.at("d");
    else if (element.name == "path")
      outline = element.attributes.at("d");
  }
  const auto place = [&](double percent) { return number(pixel_of(svg, percent)); };
  CHECK_THAT(box, StartsWith("M" + place(40) + ' '));
  CHECK_THAT(box, ContainsSubstring("h" + number(pixel_of(svg, 70) - pixel_of(svg, 40)) + 'v'));
  CHECK_THAT(outline, StartsWith("M" + place(10) + ' '));
  CHECK_THAT(outline, ContainsSubstring("H" + place(40) + "M" + place(95) + ' '));
  CHECK_THAT(outline, ContainsSubstring("H" + place(70) + "M"));
  CHECK(median.tip == "gpu0 of algo-1: whisker 10.0%, p25 40.0%, median 50.0%, p75 70.0%, "
                      "whisker 95.0%, mean 55.0%");
}

TEST_CASE("Groups have heads, keys and colors of their own") {
  BoxChart chart = one_box();
  chart.groups.push_back({"GPU memory", series(1), {{"gpu0 of algo-1", {}, {}, 11, {}, {}, {}}}});
  const auto medians = rectangles(draw(chart), "c-ink");
  REQUIRE(medians.size() == 2);
  CHECK(medians[0].key == "0");
  CHECK(medians[1].key == "1");
  CHECK(medians[1].tip == "gpu0 of algo-1, GPU memory: median 11.0%");
  CHECK(medians[1].at("y") > medians[0].at("y"));
}

TEST_CASE("Figures that are not known are not drawn, those beyond the scale lie at its end") {
  BoxChart chart = one_box();
  const double nan = std::numeric_limits<double>::quiet_NaN();
  chart.groups[0].rows = {{"none", {}, {}, {}, {}, {}, {}}, {"nan", nan, nan, nan, nan, nan, nan}};
  std::string svg = draw(chart);
  CHECK(rectangles(svg, "c-ink").empty());
  std::size_t unknown = 0;
  for (const std::string& text : texts(svg))
    if (text == "not known") ++unknown;
  CHECK(unknown == 2);
  CHECK(svg.find("nan %") == std::string::npos);

  chart.groups[0].rows = {{"above", 0, 90, 120, 130, 200, 1e300}};
  svg = draw(chart);
  CHECK(rectangles(svg, "c-ink").at(0).at("x") + 1 == Approx(pixel_of(svg, 100)));
}

TEST_CASE("Rows never overlap, from one to sixty-four") {
  for (const std::size_t count : {1U, 16U, 17U, 64U}) {
    BoxChart chart = one_box();
    chart.groups[0].rows.resize(count, chart.groups[0].rows[0]);
    const auto medians = rectangles(draw(chart), "c-ink");
    REQUIRE(medians.size() == count);
    for (std::size_t at = 1; at < count; ++at)
      CHECK(medians[at].at("y") >= medians[at - 1].at("y") + medians[at - 1].at("height"));
  }
}

TEST_CASE("Names of any length leave the drawing small") {
  BoxChart chart = one_box();
  chart.groups[0].rows[0].name = std::string(10'000, '<');
  CHECK(draw(chart).size() < 4000);
}

} // namespace test_box_plot
