#include "chart/drawing.h"
#include "render/example.h"
#include "render/parts/device_chart.h"
#include "render/parts/histogram_chart.h"
#include "render/parts/rule_words.h"
#include "render/parts/share_chart.h"
#include "render/sections/sections.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <string>
#include <vector>

namespace test_figures {

using namespace debrief;
using namespace debrief::render;
using Catch::Approx;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::EndsWith;

namespace {

/// The charts of a section whose captions begin so.
std::vector<Chart> charts_of(const SectionSpec& spec, const result::Result& result,
                             std::string_view caption) {
  std::vector<Chart> out;
  const std::optional<Section> section = spec.make(result);
  for (const Block& block : section->blocks())
    if (const Chart* chart = std::get_if<Chart>(&block))
      if (chart->caption.starts_with(caption)) out.push_back(*chart);
  return out;
}

std::vector<std::string> legend(const Chart& figure) {
  std::vector<std::string> out;
  for (const LegendEntry& entry : figure.legend)
    out.push_back(entry.words);
  return out;
}

using Words = std::vector<std::string>;

result::Histogram steady(double low, double high, std::int64_t count) {
  result::Histogram out;
  for (int bin = 0; bin <= 10; ++bin)
    out.edges.push_back(low + (high - low) * bin / 10);
  out.counts.assign(10, count);
  return out;
}

} // namespace

TEST_CASE("A single bar's legend has the figures, and known parts their colors") {
  const auto figure = share_chart(
      "Parts", {{"", "TRAIN", 80, "80 s"}, {"", "others", 20, "20 s"}, {"", "odd", 0, ""}});
  REQUIRE(figure);
  CHECK(legend(*figure) == Words{"TRAIN: 80.0% (80 s)", "others: 20.0% (20 s)", "odd: 0%"});
  CHECK(figure->legend[0].color.name == "c-compute");
  CHECK(figure->legend[1].color.name == "c-idle");
  CHECK(figure->legend[2].color.name == "c-s1");
  CHECK_THAT(figure->svg, ContainsSubstring("aria-label=\"Parts: TRAIN 80.0%, others 20.0%"));
}

TEST_CASE("Of many parts the greatest are told apart, and the rest is one") {
  std::vector<Share> shares;
  for (int at = 1; at <= 50; ++at)
    shares.push_back({"", "op" + std::to_string(at), static_cast<double>(at), ""});
  const auto figure = share_chart("Many", shares);
  REQUIRE(figure);
  REQUIRE(figure->legend.size() == 7);
  CHECK_THAT(figure->legend[0].words, ContainsSubstring("op50: 3.9%"));
  CHECK_THAT(figure->legend[6].words, ContainsSubstring("44 more: 77.6%"));
  double width = 0;
  for (const Element& element : elements(figure->svg))
    if (element.name == "rect" && !element.tip.empty() && !element.has_class("c-paper"))
      width += element.at("width");
  CHECK(width == Approx(chart::kChartWidth).margin(0.1));
}

TEST_CASE("One bar per process, at most sixteen; parts below zero are no bar") {
  std::vector<Share> shares;
  for (int at = 0; at < 40; ++at)
    shares.push_back({"algo-" + std::to_string(at), "TRAIN", 1, ""});
  const auto figure = share_chart("Phases", shares);
  REQUIRE(figure);
  CHECK(figure->caption == "Phases, 16 of 40 processes");
  CHECK(rectangles(figure->svg, "c-compute").size() == 16);
  CHECK(!share_chart("Phases", {{"", "TRAIN", 139, ""}, {"", "others", -39, ""}}));
  CHECK(!share_chart("Phases", {}));
}

TEST_CASE("Hostile names are text in a drawing and do not make it grow") {
  const std::string name = kEvil + std::string(10'000, '<');
  const auto figure = share_chart(
      "Names", {{name, name, 1, ""}, {name, "b" + name, 1, ""}, {"c" + name, name, 1, ""}});
  REQUIRE(figure);
  CHECK(figure->svg.find("<script") == std::string::npos);
  CHECK(figure->svg.find("\u202e") == std::string::npos);
  CHECK(figure->svg.size() < 12'000);
}

TEST_CASE("A box for each device, by metric, with the range in words") {
  const result::Result result = example_result();
  const auto figure = device_chart(
      "Devices",
      devices_of(result, {result::Metric::cpu, result::Metric::gpu, result::Metric::gpu_memory}),
      "devices");
  REQUIRE(figure);
  CHECK(legend(*figure) == Words{"CPU", "GPU", "GPU memory"});
  CHECK(rectangles(figure->svg, "c-ink").size() == 5);
  CHECK_THAT(figure->svg, ContainsSubstring("Medians: CPU 20.0% (cpu of algo-1); GPU 30.0% (gpu0 "
                                            "of algo-2) to 90.0% (gpu0 of algo-1);"));
  CHECK(device_chart("GPUs", devices_of(result, {result::Metric::gpu}), "GPUs")->legend.empty());
  CHECK(!device_chart("None", {}, "GPUs"));
}

TEST_CASE("Of five hundred devices those with the lowest and the highest medians are drawn") {
  result::Result result;
  for (int at = 0; at < 500; ++at)
    result.devices.push_back(example_device("algo-1", "gpu" + std::to_string(at), "GPU", at / 5.0));
  const auto figure = device_chart("GPUs", devices_of(result, {result::Metric::gpu}), "GPUs");
  REQUIRE(figure);
  CHECK_THAT(figure->caption, EndsWith("64 of 500 GPUs with the lowest and highest medians"));
  CHECK(rectangles(figure->svg, "c-ink").size() == 64);
  CHECK_THAT(figure->svg, ContainsSubstring(">gpu31 of algo-1<"));
  CHECK_THAT(figure->svg, !ContainsSubstring(">gpu32 of algo-1<"));
  CHECK_THAT(figure->svg, ContainsSubstring(">gpu468 of algo-1<"));
  CHECK(figure->svg.size() < 100'000);
}

TEST_CASE("Steps have a histogram for each mode, with threshold and outliers") {
  result::Result result = example_result();
  result.steps[0].histogram = steady(0.07, 0.09, 5);
  auto figures = charts_of(kStepsSection, result, "TRAIN step time");
  REQUIRE(figures.size() == 1);
  CHECK(figures[0].caption == "TRAIN step time; 2 outliers beyond the dashed line are off scale");
  CHECK(legend(figures[0]) == Words{"algo-1-27: middle half 75 ms to 85 ms, outliers above 92 ms"});
  CHECK(rectangles(figures[0].svg, "c-s0").size() == 10);

  for (int at = 0; at < 19; ++at) {
    result.steps.push_back(result.steps[0]);
    result.steps.back().process = "algo-2-" + std::to_string(at);
    result.steps.back().mean = 0.05 + at * 0.01;
  }
  figures = charts_of(kStepsSection, result, "TRAIN step time");
  REQUIRE(figures.size() == 1);
  CHECK_THAT(figures[0].caption, ContainsSubstring("3 fastest and 3 slowest of 20"));
  REQUIRE(figures[0].legend.size() == 6);
  CHECK_THAT(figures[0].legend[0].words, ContainsSubstring("algo-2-0:"));
  CHECK_THAT(figures[0].legend[5].words, ContainsSubstring("algo-2-18:"));
}

TEST_CASE("A long tail is cut, and the caption says how much of it") {
  result::Histogram histogram;
  for (int edge = 0; edge <= 100; ++edge)
    histogram.edges.push_back(edge);
  histogram.counts.assign(100, 0);
  histogram.counts[0] = 1000;
  histogram.counts[9] = 500;
  histogram.counts[99] = 3;
  const auto drawn = [&] {
    return histogram_chart({"Load times", chart::HistogramUnit::seconds, "time"},
                           {{"get next", &histogram, std::nullopt}});
  };
  auto figure = drawn();
  REQUIRE(figure);
  CHECK(figure->caption == "Load times; off scale: 3 times, up to 1 min 40 s");
  auto bars = rectangles(figure->svg, "c-s0");
  REQUIRE(bars.size() == 2);
  CHECK(bars[1].at("x") == Approx(bars[0].at("x") + 9 * (bars[0].at("width") + 1)).margin(0.2));
  CHECK(bars[1].at("x") > 600);

  histogram.counts[9] = 0; // a single bin would fill the drawing and say nothing
  bars = rectangles(drawn()->svg, "c-s0");
  REQUIRE(bars.size() == 1);
  CHECK(bars[0].at("width") < 100);

  histogram.counts[99] = 200;
  CHECK(drawn()->caption == "Load times");
}

TEST_CASE("Durations that are all the same are drawn around themselves, none below 0") {
  result::Histogram histogram; // numpy's bins of such values: half a unit to each side
  for (int edge = 0; edge <= 100; ++edge)
    histogram.edges.push_back(0.1 - 0.5 + edge / 100.0);
  histogram.counts.assign(100, 0);
  histogram.counts[50] = 29;
  const auto chart_now = [&] {
    return histogram_chart({"Steps", chart::HistogramUnit::seconds, "step"},
                           {{"algo-1-27", &histogram, std::nullopt}});
  };
  CHECK_FALSE(chart_now()); // so few are read faster than drawn
  histogram.counts[50] = 70;
  const auto figure = chart_now();
  REQUIRE(figure);
  CHECK(legend(*figure) == Words{"algo-1-27: middle half 100 ms to 101 ms"});
  CHECK(figure->svg.find(">-") == std::string::npos);
  CHECK(rectangles(figure->svg, "c-s0").at(0).tip == "100 ms to 101 ms: 70 steps");
}

TEST_CASE("Durations below 0, as a broken file has them, are drawn where they are") {
  result::Histogram histogram;
  for (int edge = 0; edge <= 100; ++edge)
    histogram.edges.push_back(-5.5 + edge / 100.0);
  histogram.counts.assign(100, 0);
  histogram.counts[50] = 70;
  const auto figure = histogram_chart({"Steps", chart::HistogramUnit::seconds, "step"},
                                      {{"algo-1-27", &histogram, 1.0}});
  REQUIRE(figure);
  CHECK(rectangles(figure->svg, "c-s0").at(0).tip == "-5 s to -4.99 s: 70 steps");
}

TEST_CASE("Load times are those that the section speaks of, and those like them") {
  result::Result result;
  std::vector<result::LoadTimes>& times = result.data_loading.times;
  times.resize(3);
  times[0] = {result::LoadKind::initialize, 10, {}, {}, 9, 9, 9, {}, {}, steady(8, 10, 9)};
  times[1] = {result::LoadKind::get_next, 10, {}, {}, 0.2, 0.2, 0.2, {}, {}, steady(0.1, 0.3, 9)};
  times[2] = {result::LoadKind::batch, 10, {}, {}, 0.3, 0.3, 0.3, {}, {}, steady(0.2, 0.4, 9)};
  const auto drawn = [&] { return charts_of(kDataLoadingSection, result, "Load times"); };
  REQUIRE(drawn().size() == 1);
  const Chart chart = drawn()[0];
  REQUIRE(chart.legend.size() == 2);
  CHECK_THAT(chart.legend[0].words, ContainsSubstring("get next: middle half"));
  CHECK_THAT(chart.legend[1].words, ContainsSubstring("batch: middle half"));
  times[2].histogram = steady(0, 20, 9); // bins so coarse that the others' would be one
  CHECK(drawn().at(0).legend.size() == 1);
  times = {{result::LoadKind::get_next, 1, {}, {}, 1, 1, 1, {}, {}, {}}};
  CHECK(drawn().empty());
}

TEST_CASE("GPUs' utilization lies over one another; of many the most different") {
  result::Result result;
  for (int at = 0; at < 20; ++at) {
    result.devices.push_back(example_device("algo-1", "gpu" + std::to_string(at), "GPU", 50));
    result.devices.back().histogram = steady(0, 100, 7);
  }
  result.load_balance.pairs = {{"algo-1", "gpu3", "algo-1", "gpu11", 0.5},
                               {"algo-1", "gpu3", "algo-1", "gpu19", 0.4}};
  const auto drawn = charts_of(kLoadBalanceSection, result, "Utilization histogram");
  REQUIRE(drawn.size() == 1);
  REQUIRE(drawn[0].legend.size() == 3);
  CHECK_THAT(drawn[0].legend[1].words,
             ContainsSubstring("gpu11 of algo-1: middle half 25% to 75%"));
}

TEST_CASE("A matrix has every pair, for three GPUs and up to thirty-two") {
  const auto balance = [](int count) {
    result::Result result;
    result::LoadBalance& out = result.load_balance;
    for (int a = 0; a < count; ++a)
      for (int b = a + 1; b < count; ++b)
        out.pairs.push_back(
            {"algo-1", "gpu" + std::to_string(a), "algo-1", "gpu" + std::to_string(b), 0.1});
    out.pair_count = static_cast<std::int64_t>(out.pairs.size());
    return result;
  };
  const auto matrices = [](const result::Result& result) {
    return charts_of(kLoadBalanceSection, result, "Distance between GPUs");
  };
  CHECK(matrices(balance(0)).empty());
  CHECK(matrices(balance(2)).empty());
  const auto four = matrices(balance(4));
  REQUIRE(four.size() == 1);
  CHECK_THAT(four[0].svg, ContainsSubstring("gpu3 of algo-1, gpu1 of algo-1: 0.100"));
  CHECK(matrices(balance(32)).size() == 1);
  CHECK(matrices(balance(33)).empty());
  auto alike = balance(4); // none stands out
  alike.rules.emplace_back().rule = "LoadBalancing";
  alike.rules.back().parameters = {{"threshold", "0.2"}};
  CHECK(matrices(alike).empty());
  alike.rules.back().parameters = {{"threshold", "0.05"}};
  CHECK(matrices(alike).size() == 1);
  auto cut = balance(4);
  cut.load_balance.pair_count = 1000;
  CHECK(matrices(cut).empty());
}

TEST_CASE("What ran is grouped by kind, the greatest differences first") {
  result::Activity activity;
  for (int at = 0; at < 9; ++at)
    activity.rows.push_back({"cpu_operator", "op" + std::to_string(at), 1, 10.0 * at, 5});
  activity.rows.push_back({"phase", "TRAIN", 1, 100, std::nullopt});
  const auto figure = activity_chart(activity, "outliers");
  REQUIRE(figure);
  CHECK_THAT(figure->caption, EndsWith(", top 5 of each kind"));
  CHECK_THAT(figure->svg, ContainsSubstring(": TRAIN 100.0% against not recorded; op8 80.0% "
                                            "against 5.0%"));
  CHECK(rectangles(figure->svg, "c-s1").size() == 6);
  CHECK(legend(*figure) == Words{"during outliers", "otherwise"});
  activity.rows.push_back({"general", "DataLoaderWorker", 1, 200, 50}); // two run at once
  const auto several = activity_chart(activity, "outliers");
  REQUIRE(several);
  CHECK_THAT(several->caption, ContainsSubstring("(running at once)"));
  CHECK_THAT(several->svg, ContainsSubstring("DataLoaderWorker 2.00 against 0.50"));
  CHECK_THAT(several->svg, !ContainsSubstring("200"));
  CHECK(!activity_chart({}, "outliers"));
}

} // namespace test_figures
