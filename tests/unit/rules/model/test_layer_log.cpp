#include "rules/model/layer_log.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace test_layer_log {

using namespace debrief;
using rules::model::LayerLog;
using Values = std::vector<std::optional<double>>;

namespace {

rules::model::Condition below(double value) {
  return {"mean of absolute values", "below", value, 0.5};
}

} // namespace

TEST_CASE("a measure has a row for each layer and a column for each step") {
  LayerLog log;
  CHECK(log.empty());
  for (const std::int64_t step : {0, 10, 20}) {
    log.note(0, "a", step, false, below(1 + static_cast<double>(step)));
    if (step > 0) log.note(1, "b", step, step == 20, below(0.25));
  }
  const result::LayerMeasure measure = log.measure();
  CHECK(measure.what == "mean of absolute values");
  CHECK(measure.relation == "below");
  CHECK(measure.threshold == 0.5);
  CHECK(measure.steps == std::vector<std::int64_t>{0, 10, 20});
  CHECK(measure.layer_count == 2);
  REQUIRE(measure.layers.size() == 2);
  CHECK(measure.layers[0].tensor == "b"); // it triggered
  CHECK(measure.layers[0].values == Values{std::nullopt, 0.25, 0.25});
  CHECK(measure.layers[1].values == Values{1, 11, 21});
}

TEST_CASE("of more steps than columns, each column has the worst, however many there were") {
  for (const bool is_below : {true, false}) {
    LayerLog log;
    for (std::int64_t step = 0; step < 10'000; ++step) {
      const double value = step == 4'321 ? (is_below ? 1.0 : 99.0) : 50.0;
      log.note(0, "a", step, false, {"percentage", is_below ? "below" : "above", value, 0});
    }
    const result::LayerMeasure measure = log.measure();
    REQUIRE(measure.steps.size() == result::kMaxLayerColumns);
    CHECK(measure.steps.front() == 0);
    int worst = 0;
    for (std::size_t at = 0; at < measure.steps.size(); ++at) {
      const std::int64_t end = at + 1 < measure.steps.size() ? measure.steps[at + 1] : 10'000;
      const bool has_it = measure.steps[at] <= 4'321 && 4'321 < end;
      CHECK(measure.layers[0].values[at] == (has_it ? (is_below ? 1.0 : 99.0) : 50.0));
      worst += has_it ? 1 : 0;
    }
    CHECK(worst == 1);
  }
}

TEST_CASE("a column with a value that is not finite is blank, and layers beyond the limit count") {
  LayerLog log;
  for (std::uint32_t slot = 0; slot < 40; ++slot)
    log.note(slot, "layer" + std::to_string(slot), 0, slot == 39, below(slot == 39 ? NAN : 1));
  const result::LayerMeasure measure = log.measure();
  CHECK(measure.layer_count == 40);
  REQUIRE(measure.layers.size() == result::kMaxLayers);
  CHECK(measure.layers[0].tensor == "layer39");
  CHECK(measure.layers[0].values == Values{std::nullopt});
}

} // namespace test_layer_log
