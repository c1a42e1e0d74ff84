#include "chart/spark.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>
#include <utility>
#include <vector>

namespace test_spark {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("a small bar has its parts side by side, each as wide as its share") {
  const std::string svg =
      chart::spark_bar("Where <it> went", {{"Computing", 0.25, chart::series(0), ""},
                                           {"Nothing", 0, chart::series(1), ""},
                                           {"Waiting", 0.5, chart::series(2), ""}});
  CHECK_THAT(svg, ContainsSubstring("aria-label=\"Where &lt;it&gt; went\""));
  CHECK_THAT(svg, ContainsSubstring("<rect x=\"0\" width=\"30\""));
  CHECK_THAT(svg, ContainsSubstring("<rect x=\"30\" width=\"60\""));
  CHECK_THAT(svg, !ContainsSubstring("Nothing"));
}

TEST_CASE("a sparkline has a column for each share, and the mean of many") {
  CHECK(chart::spark_area("none", {}, chart::kInk).empty());
  // 120 wide, 22 high: down to the middle for half, and to the top for all of it.
  chart::Path steps;
  steps.move(0, 22);
  for (const auto& [x, y] : {std::pair{0, 11}, {60, 11}, {60, 0}, {120, 0}, {120, 22}})
    steps.line(x, y);
  steps.close();
  CHECK_THAT(chart::spark_area("two", {0.5, 1}, chart::kInk), ContainsSubstring(steps.text()));
  std::vector<double> many(240, 0);
  for (std::size_t at = 0; at < many.size(); at += 2)
    many[at] = 1;
  std::vector<double> halves(60, 0.5);
  CHECK(chart::spark_area("same", many, chart::kInk) ==
        chart::spark_area("same", halves, chart::kInk));
  CHECK(chart::spark_area("same", {2}, chart::kInk) == chart::spark_area("same", {1}, chart::kInk));
}

TEST_CASE("a margin's bar ends at the value, and the line stands at the bound") {
  const std::string svg = chart::margin_bar("0%, required: at least 70%", 35, 70, chart::kAlarm);
  // The scale goes to 1.08 times the greater: 70 stands at 120 / 1.08.
  CHECK_THAT(svg, ContainsSubstring("<line x1=\"111.11\" x2=\"111.11\""));
  CHECK_THAT(svg, ContainsSubstring("<rect x=\"0\" width=\"55.56\""));
  CHECK_THAT(chart::margin_bar("0", 0, 0, chart::kAlarm), ContainsSubstring("width=\"0\""));
}

TEST_CASE("a dumbbell goes from what was to what is, from 0 to the greater") {
  const std::string svg = chart::dumbbell("step", 10, 5, chart::kInk);
  CHECK_THAT(svg, ContainsSubstring("<line x1=\"97%\" x2=\"49.5%\""));
  CHECK_THAT(svg, ContainsSubstring("<circle cx=\"49.5%\" cy=\"9\" r=\"6\""));
  CHECK_THAT(chart::dumbbell("none", 0, 0, chart::kInk),
             ContainsSubstring("<line x1=\"2%\" x2=\"2%\""));
}

} // namespace test_spark
