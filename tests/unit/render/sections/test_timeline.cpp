#include "chart/paths.h"
#include "render/example.h"
#include "render/example_timeline.h"
#include "render/page/html.h"
#include "render/view_support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <algorithm>

namespace test_timeline_view {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using nlohmann::json;

namespace {

json timeline_of(const result::Timeline& timeline) {
  result::Result result = example_result();
  result.timeline = timeline;
  return view_of(render::kTimelineSection, result);
}

json panel(const json& view, const std::string& name) {
  for (const json& item : view["items"])
    if (item["name"] == name) return item["blocks"][0];
  return {{"caption", "no such panel"}, {"svg", "no such panel"}, {"legend", json::array()}};
}

std::string svg(const json& view, const std::string& name) {
  return panel(view, name)["svg"];
}

std::string caption(const json& view, const std::string& name) {
  return panel(view, name)["caption"];
}

std::size_t lines(const std::string& drawing) {
  return chart::count_in(drawing, " class=\"l c-s");
}

} // namespace

TEST_CASE("the timeline has a panel for each metric that a node has, in the page's order") {
  const json view = timeline_of(example_timeline({}));
  std::vector<std::string> names;
  for (const json& one : view["items"])
    names.push_back(one["name"]);
  CHECK(names == std::vector<std::string>{"phases", "lanes", "GPU", "GPU memory", "CPU", "steps",
                                          "heat", "CPU memory", "Network"});
  const json& more = view["items"][7];
  CHECK(more["opens_more"]["words"] == "More over time: host memory in use and network traffic");
  CHECK_FALSE(more["opens_more"]["open"]);
  CHECK_FALSE(more["closes_more"]);
  CHECK(view["items"][8]["closes_more"]);
  CHECK(view["items"][6]["opens_more"].is_null());
  CHECK(view["notes"].empty());
  // The parts are those of the time accounting.
  CHECK_THAT(take_away(view),
             StartsWith("Started 2023-11-14 22:13:20 UTC, ran 1 min 40 s: startup 10 s, TRAIN 1 "
                        "min 20 s, between steps 5 s and shutdown 5 s."));
}

TEST_CASE("the timeline says when GPUs were idle longest") {
  result::Timeline timeline = example_timeline({});
  CHECK_THAT(take_away(timeline_of(timeline)), ContainsSubstring("GPUs were never below 5%"));
  timeline.longest_idle = {"algo-1", {kTimelineStart + 50 * kSecond, kTimelineStart + kMinute}};
  CHECK_THAT(
      take_away(timeline_of(timeline)),
      ContainsSubstring("Longest idle stretch after startup (GPUs below 5%): 10 s at 22:14:10."));
  timeline.phases.clear();
  CHECK_THAT(take_away(timeline_of(timeline)),
             ContainsSubstring("Longest idle stretch (GPUs below 5%): 10 s at 22:14:10."));
  CHECK_THAT(take_away(timeline_of(example_timeline({.gpus = 0}))), !ContainsSubstring("GPU"));
}

TEST_CASE("one node is the mean of its devices in a band, and bytes are a line each way") {
  const json view = timeline_of(example_timeline({}));
  CHECK(lines(svg(view, "GPU")) == 1);
  CHECK(chart::paths_of(svg(view, "GPU"), "f c-pale").size() == 1);
  CHECK_THAT(caption(view, "GPU"), ContainsSubstring("mean of 2 GPUs; band"));
  CHECK_THAT(caption(view, "CPU"), ContainsSubstring("mean of 4 cores; band"));
  CHECK(chart::paths_of(svg(view, "CPU memory"), "f c-pale").empty());
  CHECK(lines(svg(view, "Network")) == 2);
  CHECK(panel(view, "Network")["legend"][1]["words"] == "transmit");
  CHECK_THAT(svg(view, "Network"), ContainsSubstring("MB/s<"));
}

TEST_CASE("a few nodes have a line each, many are their mean in a band") {
  json view = timeline_of(example_timeline({.nodes = 8}));
  CHECK(lines(svg(view, "GPU")) == 8);
  CHECK(panel(view, "GPU")["legend"].size() == 8);
  CHECK_THAT(caption(view, "GPU"), ContainsSubstring("one line per node"));
  view = timeline_of(example_timeline({.nodes = 9}));
  CHECK(lines(svg(view, "GPU")) == 1);
  CHECK_THAT(caption(view, "GPU"), ContainsSubstring("mean of 9 nodes; band"));
}

TEST_CASE("more samples than pixels are drawn as their mean and in a band") {
  const json view = timeline_of(example_timeline({.samples = 5000}));
  CHECK_THAT(caption(view, "CPU memory"), ContainsSubstring("mean of the samples; band"));
  CHECK(chart::paths_of(svg(view, "CPU memory"), "f c-pale").size() == 1);
}

TEST_CASE("rules that found an issue have lanes, and nothing lies over data") {
  result::Result result = example_result();
  result.timeline = example_timeline({});
  for (result::RuleRow& rule : result.rules)
    rule.incidents = {
        {"algo-1", "gpu0", {kTimelineStart, kTimelineStart + kSecond}, "low"},
        {"algo-1", "gpu1", {kTimelineStart + kSecond, kTimelineStart + kMinute}, ""},
        {"algo-1", "gpu1", {kTimelineStart + 80 * kSecond, kTimelineStart + 90 * kSecond}, "low"}};
  const json view = view_of(render::kTimelineSection, result);
  CHECK_THAT(svg(view, "lanes"),
             ContainsSubstring("<title>LowGPUUtilization: 2 incidents; from 2023-11-14 22:13:20 "
                               "UTC for 1 min 0 s</title>"));
  CHECK_THAT(svg(view, "lanes"),
             ContainsSubstring("<title>LowGPUUtilization: gpu1 of algo-1, low; "
                               "from 2023-11-14 22:14:40 UTC for 10 s</title>"));
  CHECK_THAT(svg(view, "lanes"), ContainsSubstring(">CPUBottleneck<"));
  for (const char* panel : {"GPU", "CPU", "GPU memory"})
    CHECK_THAT(svg(view, panel), !ContainsSubstring("LowGPUUtilization")); // nothing lies over data
}

TEST_CASE("what is flat is named instead of drawn") {
  result::Result result = example_result();
  result.timeline = example_timeline({});
  for (result::MetricTimeline& metric : result.timeline.nodes.front().metrics) {
    if (metric.metric != result::Metric::cpu_memory && metric.metric != result::Metric::gpu)
      continue;
    std::fill(metric.whole.begin(), metric.whole.end(), 0.9F);
    for (std::vector<float>& values : metric.values)
      std::fill(values.begin(), values.end(), 0.9F);
  }
  const json view = view_of(render::kTimelineSection, result);
  CHECK(has_note(view, "Not drawn: host memory in use stays below 1%."));
  const auto drawn = [&](const std::string& name) {
    return std::any_of(view["items"].begin(), view["items"].end(),
                       [&](const json& item) { return item["name"] == name; });
  };
  CHECK(!drawn("CPU memory"));
  CHECK(drawn("GPU")); // how busy GPUs are is always worth seeing
}

TEST_CASE("without samples the timeline says what is missing and how to record it") {
  const json view = timeline_of({});
  CHECK(view["items"].empty());
  CHECK(view["take_away"] == "");
  CHECK(has_note(view, "profiler-output/system"));
  CHECK(has_note(view, "turn on"));
  const json without_steps = timeline_of(example_timeline({.steps = 0}));
  CHECK(has_note(without_steps, "No steps with a known clock"));
  CHECK(caption(without_steps, "steps") == "no such panel");
}

TEST_CASE("one sample is drawn, not divided by") {
  const json view = timeline_of(example_timeline({.samples = 1, .steps = 1}));
  for (const json& one : view["items"]) {
    CHECK_THAT(one["blocks"][0]["svg"].get<std::string>(), !ContainsSubstring("nan"));
    CHECK_THAT(one["blocks"][0]["svg"].get<std::string>(), !ContainsSubstring("inf"));
  }
  CHECK(view["items"].size() == 9);
}

TEST_CASE("names of the job are text in the timeline's drawings") {
  for (const std::size_t nodes : {1U, 3U}) {
    result::Result result = example_result(kEvil);
    result.timeline = example_timeline({.nodes = nodes}, kEvil);
    const std::string html = render::to_html(result);
    CHECK_THAT(html, !ContainsSubstring("<script>alert"));
    CHECK_THAT(html, !ContainsSubstring("<img"));
    CHECK_THAT(html, ContainsSubstring("data-panel=\"heat\""));
  }
}

TEST_CASE("drawings of a great job stay small") {
  result::Timeline timeline =
      example_timeline({.nodes = 8, .gpus = 8, .cores = 96, .samples = 2'400, .steps = 100'000});
  const json view = timeline_of(timeline);
  std::size_t all = 0;
  for (const json& one : view["items"]) {
    const std::size_t size = one["blocks"][0]["svg"].get<std::string>().size();
    all += size;
    CHECK(size < 150'000);
  }
  CHECK(all < 400'000);
}

} // namespace test_timeline_view
