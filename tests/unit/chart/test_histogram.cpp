#include "chart/drawing.h"
#include "chart/histogram.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>
#include <string>

namespace test_histogram {

using namespace debrief;
using namespace debrief::chart;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;

namespace {

HistogramChart one_series() {
  return {"steps",
          HistogramUnit::seconds,
          "step",
          "outliers above 50 ms",
          {{"algo-1-27", series(0), {0, 0.01, 0.02, 0.03, 0.04}, {2, 8, 0, 1}, 0.05}}};
}

double label_y(const std::string& svg, const std::string& words) {
  for (const Element& element : elements(svg))
    if (element.text == words && element.attributes.contains("text-anchor"))
      return element.at("y") - 4;
  return -1;
}

} // namespace

TEST_CASE("Common bins are no finer than those of the coarsest series") {
  HistogramChart chart;
  chart.unit = HistogramUnit::seconds;
  chart.noun = "time";
  HistogramSeries fine{"fine", series(0), {}, std::vector<double>(100, 1), {}};
  for (int edge = 0; edge <= 100; ++edge)
    fine.edges.push_back(edge / 10.0);
  const HistogramSeries coarse{"coarse", series(1), {0, 5, 10}, {30, 10}, {}};
  chart.series = {fine, coarse};
  // Two bins for both, with 50 and 50, and 30 and 10; eighty would have had one or two each.
  CHECK_THAT(draw(chart), ContainsSubstring(">40<"));
  CHECK(peak_words(coarse, HistogramUnit::seconds) == "0 s to 5 s");
}

TEST_CASE("The highest bin reaches the top, the others in proportion, empty ones are not drawn") {
  const std::string svg = draw(one_series());
  const auto bars = rectangles(svg, "c-s0");
  REQUIRE(bars.size() == 3);
  CHECK(bars[1].at("y") == Approx(label_y(svg, "8")));
  CHECK(bars[1].at("height") == Approx(4 * bars[0].at("height")));
  CHECK(bars[0].at("y") + bars[0].at("height") == Approx(label_y(svg, "0")));
  CHECK(bars[1].tip == "10 ms to 20 ms: 8 steps");
  CHECK(bars[2].tip == "30 ms to 40 ms: 1 step");
}

TEST_CASE("A threshold lies on the scale, with its words") {
  const std::string svg = draw(one_series());
  const auto bars = rectangles(svg, "c-s0");
  const double bin = bars[1].at("x") - bars[0].at("x");
  std::size_t found = 0;
  for (const Element& element : elements(svg))
    if (element.name == "line" && element.has_class("c-ink")) {
      CHECK(element.at("x1") == Approx(bars[0].at("x") + 5 * bin).margin(0.02));
      CHECK(element.key == "0");
      ++found;
    }
  CHECK(found == 1);
  const auto words = texts(svg);
  CHECK(std::count(words.begin(), words.end(), "outliers above 50 ms") == 1);
}

TEST_CASE("Several series are outlines in groups of their own, on common bins") {
  HistogramChart chart = one_series();
  chart.series.push_back({"algo-2-30", series(1), {0.1, 0.2}, {40}, {}});
  const std::string svg = draw(chart);
  CHECK(rectangles(svg, "c-s0").empty());
  std::size_t outlines = 0;
  for (const Element& element : elements(svg)) {
    if (element.name != "path" || !element.attributes.contains("fill-opacity")) continue;
    CHECK(element.key == (outlines == 0 ? "0" : "1"));
    CHECK_THAT(element.tip,
               ContainsSubstring(outlines == 0
                                     ? "algo-1-27: 11 steps, middle half 10.9 ms to 17.8 ms"
                                     : "algo-2-30: 40 steps, middle half 125 ms"));
    ++outlines;
  }
  CHECK(outlines == 2);
}

TEST_CASE("Utilization is on a scale from 0 to 100") {
  const HistogramChart chart{
      "GPU", HistogramUnit::percent, "sample", "", {{"gpu0", series(0), {0, 50, 100}, {3, 9}, {}}}};
  const std::string svg = draw(chart);
  CHECK(rectangles(svg, "c-s0").at(1).tip == "50% to 100%: 9 samples");
  CHECK(peak_words(chart.series[0], chart.unit) == "50% to 100%");
  CHECK_THAT(svg, ContainsSubstring(">100%</text>"));
}

TEST_CASE("What cannot be drawn is left out, and nothing at all says so") {
  HistogramChart chart = one_series();
  chart.series.push_back({"empty", series(1), {}, {}, {}});
  CHECK(rectangles(draw(chart), "c-s0").size() == 3);
  chart.series.erase(chart.series.begin());
  CHECK(texts(draw(chart)) == std::vector<std::string>{"nothing to draw"});
  CHECK_THAT(draw({"one", HistogramUnit::seconds, "step", "", {{"a", series(0), {1, 2}, {1}, {}}}}),
             ContainsSubstring("1 s to 2 s: 1 step"));
}

TEST_CASE("A histogram's size does not grow with names") {
  HistogramChart chart = one_series();
  chart.series.push_back(chart.series[0]);
  chart.series[1].name = std::string(10'000, 'x');
  CHECK(draw(chart).size() < 5000);
}

} // namespace test_histogram
