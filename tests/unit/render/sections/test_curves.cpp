#include "render/example.h"
#include "render/page/html.h"
#include "render/view_support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_curves_view {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using result::Curve;
using result::CurveSplit;
using result::CurveTopic;

namespace {

/// One value every ten steps.
Curve curve(const std::string& name, CurveTopic topic, CurveSplit split,
            std::vector<std::optional<double>> values) {
  Curve out;
  out.name = name;
  out.source = "TensorBoard";
  out.topic = topic;
  out.split = split;
  for (const std::optional<double>& value : values) {
    const std::int64_t step = 10 * ++out.count;
    out.steps.push_back(step);
    if (!value) {
      if (out.not_finite++ == 0) out.first_not_finite = step;
      continue;
    }
    if (!out.first) out.first = value;
    out.last = value;
    if (!out.min || *value < *out.min) {
      out.min = value;
      out.min_step = step;
    }
    if (!out.max || *value > *out.max) {
      out.max = value;
      out.max_step = step;
    }
  }
  out.first_step = 10;
  out.last_step = 10 * out.count;
  out.values = std::move(values);
  return out;
}

result::Result healthy(const std::string& name = "train/loss") {
  result::Result result;
  result.curves.curves = {
      curve(name, CurveTopic::loss, CurveSplit::train, {4.17, 2.5, 1.98}),
      curve("eval/loss", CurveTopic::loss, CurveSplit::evaluation, {2.6, 2.1234567, 2.2}),
      curve("train/learning_rate", CurveTopic::learning_rate, CurveSplit::train,
            {5e-5, 3e-5, 1e-5})};
  return result;
}

} // namespace

TEST_CASE("curves: first and last loss, the best evaluation, a table of all") {
  const auto view = view_of(render::kCurvesSection, healthy());
  CHECK(take_away(view) ==
        "The loss (train/loss) went from 4.170 at step 10 to 1.980 at step 30. The best evaluation "
        "loss (eval/loss) was 2.123 at step 20; the last was 2.200 at step 30.");
  CHECK(captions(view) == std::vector<std::string>{"Loss", "Learning rate"});
  CHECK(blocks(view, "chart")[0]["legend"][1]["words"] == "eval/loss");
  CHECK(cell(view, "Logged scalars", 0, "Topic") == "loss");
  CHECK(cell(view, "Logged scalars", 1, "Min") == "2.123");
  CHECK(cell(view, "Logged scalars", 1, "Min at step") == "20");
  CHECK(cell(view, "Logged scalars", 2, "First") == "5e-5");
  const auto table = blocks(view, "table").back();
  CHECK(table["rows"][1][6]["raw"] == "2.123457");
  CHECK(table["rows"][2][4]["raw"] == "0.00005"); // never an exponent: the script sorts by it
}

TEST_CASE("curves: what is not finite is said, with its step") {
  result::Result result = healthy();
  result.curves.curves[0] =
      curve("train/loss", CurveTopic::loss, CurveSplit::train, {4.0, 900.0, {}, {}});
  result.curves.curves.push_back(
      curve("grad_norm", CurveTopic::gradient_norm, CurveSplit::unknown, {5.0, {}, {}, {}}));
  const auto view = view_of(render::kCurvesSection, result);
  CHECK_THAT(take_away(view),
             StartsWith("The loss (train/loss) began at 4.000 and ended as NaN or infinite at step "
                        "40."));
  CHECK_THAT(take_away(view), ContainsSubstring("The gradient norm (grad_norm) was NaN or infinite "
                                                "in 3 of 4 values, first at step 20."));
  CHECK(cell(view, "Logged scalars", 0, "Not finite") == "2");
}

TEST_CASE("curves: an axis that spans decades says so") {
  result::Result result;
  result.curves.curves = {
      curve("loss", CurveTopic::loss, CurveSplit::unknown, {5000.0, 20.0, 0.5})};
  const auto view = view_of(render::kCurvesSection, result);
  CHECK(captions(view) == std::vector<std::string>{"Loss"});
  CHECK_THAT(blocks(view, "chart")[0]["svg"].get<std::string>(),
             ContainsSubstring(">log scale</text>"));
}

TEST_CASE("curves: the script gets differences of steps and milliseconds, and null for a gap") {
  result::Result result;
  result.curves.curves = {
      curve("a \"quoted\" loss", CurveTopic::loss, CurveSplit::train, {4.17, {}, 1.9876543})};
  result.curves.curves[0].seconds = {0.5, 1.75, 1.5};
  const auto with_times = blocks(view_of(render::kCurvesSection, result), "chart")[0]["curves"];
  CHECK(nlohmann::json::parse(with_times.get<std::string>()) == nlohmann::json::parse(R"({
    "log": false,
    "curves": [{"name": "a \"quoted\" loss", "steps": [10, 10, 10],
                "milliseconds": [500, 1250, -250], "values": [4.17, null, 1.98765]}]})"));
  result.curves.curves[0].seconds.clear();
  const auto without = blocks(view_of(render::kCurvesSection, result), "chart")[0]["curves"];
  CHECK_FALSE(
      nlohmann::json::parse(without.get<std::string>())["curves"][0].contains("milliseconds"));
}

TEST_CASE("curves: of many losses the main ones are drawn, and rates of a kind share a chart") {
  result::Result result = healthy();
  for (int at = 0; at < 8; ++at)
    result.curves.curves.push_back(curve("aux" + std::to_string(at) + "_loss", CurveTopic::loss,
                                         CurveSplit::unknown, {1.0, 0.5}));
  for (const char* name : {"eval_samples_per_second", "train/samples_per_second", "eval_runtime"})
    result.curves.curves.push_back(
        curve(name, CurveTopic::throughput, CurveSplit::unknown, {100.0, 120.0}));
  const auto view = view_of(render::kCurvesSection, result);
  CHECK(captions(view) == std::vector<std::string>{"Loss, 6 of 10 scalars", "Learning rate",
                                                   "Throughput: samples per second",
                                                   "Runtime in seconds", "aux4_loss", "aux5_loss",
                                                   "aux6_loss", "aux7_loss"});
  const auto charts = blocks(view, "chart");
  CHECK(charts[3]["group"] == "");
  CHECK(charts[4]["group"] == "4 more scalars"); // what has no place in a chart of its topic
  CHECK(charts[7]["group"] == "4 more scalars");
  const auto legend = blocks(view, "chart")[0]["legend"];
  REQUIRE(legend.size() == 6);
  CHECK(legend[0]["words"] == "train/loss");
  CHECK(legend[1]["words"] == "eval/loss");
  CHECK(blocks(view, "chart")[2]["legend"].size() == 2);
}

TEST_CASE("curves: how fast the job trained, as far as the log says") {
  result::Result result = healthy();
  result.curves.speed.steps_per_second = 29.98765;
  result.curves.speed.evaluation_percent = 12.34;
  result.curves.speed.mfu_percent = 2.75;
  result.curves.speed.mfu_precision = "bf16";
  const auto view = view_of(render::kCurvesSection, result);
  CHECK(cell(view, "Training speed", 0, "Metric") == "Steps per second");
  CHECK(cell(view, "Training speed", 0, "Value") == "29.99");
  CHECK(cell(view, "Training speed", 1, "Value") == "12.3%");
  CHECK(cell(view, "Training speed", 2, "Metric") == "Model FLOPs utilization, of bf16 peak");
  result.curves.speed = {};
  CHECK(cell(view_of(render::kCurvesSection, result), "Training speed", 0, "Value") ==
        "no such cell");
}

TEST_CASE("curves: without scalars the page says how to log them") {
  CHECK_THAT(only_note(view_of(render::kCurvesSection, result::Result{})),
             ContainsSubstring("Log to TensorBoard, W&B or MLflow"));
  result::Result result;
  result.curves.curves = {curve("epoch", CurveTopic::other, CurveSplit::unknown, {1.0, 2.0})};
  result.curves.left_out = 3;
  const auto view = view_of(render::kCurvesSection, result);
  CHECK(take_away(view) == "The logs have 1 scalar, but no loss.");
  CHECK(has_note(view, "3 scalars more that"));
}

TEST_CASE("curves: a scalar's name never becomes markup") {
  const std::string html = render::to_html(healthy(kEvil));
  CHECK_THAT(html, !ContainsSubstring("<script>alert"));
  CHECK_THAT(html, !ContainsSubstring("<img"));
  CHECK_THAT(html, ContainsSubstring(kEvilShown));
}

} // namespace test_curves_view
