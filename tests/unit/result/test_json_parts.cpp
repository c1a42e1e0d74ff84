#include "result/full_result.h"
#include "result/json.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <initializer_list>

namespace test_json_parts {

using namespace debrief;
using nlohmann::json;

namespace {

void check_null(const json& part, std::initializer_list<const char*> keys) {
  for (const char* key : keys) {
    CAPTURE(key);
    REQUIRE(part.contains(key));
    CHECK(part[key].is_null());
  }
}

/// The document as a reader of its text sees it.
json read_back(const result::Result& result) {
  return json::parse(result::to_json_text(result));
}

} // namespace

TEST_CASE("a result of which nothing is known has every part") {
  const auto document = result::to_json(result::Result{});
  CHECK(document["time_accounting"] == json::parse(R"({"total_in_seconds": null, "parts": []})"));
  CHECK(document["devices"] == json::array());
  CHECK(document["load_balance"] == json::parse(R"({"pair_count": 0, "pairs": []})"));
  CHECK(document["steps"] == json::array());
  CHECK(document["data_loading"].is_null());
  CHECK(document["traces"].is_null());
  CHECK(document["rules"] == json::array());
  CHECK(document["provenance"]["ignored_parameters"] == json::array());
  const auto& framework = document["framework"];
  for (const char* key : {"phase", "forward_backward", "ratio", "general", "collectives",
                          "cpu_operators", "gpu_operators"}) {
    CAPTURE(key);
    CHECK(framework[key] == json::array());
  }
  CHECK(framework["recorded_by_sagemaker"] == false);
}

TEST_CASE("what is not known of a device is null") {
  result::Result result;
  result.devices.emplace_back();
  check_null(result::to_json(result)["devices"][0],
             {"samples", "mean", "min", "p05", "p25", "p50", "p75", "p95", "max", "lower", "upper",
              "histogram"});
}

TEST_CASE("what is not known of the framework is null") {
  result::Result result;
  result.framework.phase.emplace_back();
  result.framework.cpu_operators.rows.emplace_back();
  result.framework.recorded_by_sagemaker = true;
  const auto framework = result::to_json(result)["framework"];
  check_null(framework["phase"][0], {"process", "name", "seconds", "calls", "other_count"});
  check_null(framework["cpu_operators"][0], {"self_us", "self_percent", "calls"});
  CHECK(framework["recorded_by_sagemaker"] == true);
}

TEST_CASE("what is not known of steps is null") {
  result::Result result;
  result.steps.emplace_back().outlying.emplace_back();
  const auto row = result::to_json(result)["steps"][0];
  check_null(row, {"total_in_seconds", "first", "stddev", "threshold", "outliers", "histogram"});
  check_null(row["outlying"][0], {"step", "start", "seconds"});
}

TEST_CASE("what is not known of data loading is null") {
  result::Result result;
  result.data_loading.num_workers = 0; // loads in the training process: known, and zero
  auto loading = result::to_json(result)["data_loading"];
  CHECK(loading["num_workers"] == 0);
  CHECK(loading["times"] == json::array());
  check_null(loading, {"batch_size", "cores", "pin_memory", "prefetch", "loaders"});
  result.data_loading = {};
  result.data_loading.times.emplace_back();
  loading = result::to_json(result)["data_loading"];
  check_null(loading, {"num_workers", "cores", "pin_memory", "prefetch", "loaders"});
  check_null(loading["times"][0], {"mean", "min", "max", "outliers", "histogram"});
}

TEST_CASE("what is not known of traces is null") {
  result::Result result;
  auto& traces = result.traces;
  traces.files.emplace_back().gpus.emplace_back();
  traces.steps.emplace_back();
  traces.operators.by_name.emplace_back();
  traces.kernels.rows.emplace_back();
  traces.gpus.emplace_back();
  traces.copies.emplace_back();
  traces.syncs.emplace_back();
  traces.communication.collectives.emplace_back();
  traces.communication.overlap.emplace_back();
  traces.communication.stragglers.emplace_back();
  traces.memory.emplace_back().holders.emplace_back();
  traces.annotations.emplace_back();
  const auto shown = result::to_json(result)["traces"];
  check_null(shown["files"][0], {"node", "rank", "world_size", "backend", "span"});
  check_null(shown["files"][0]["gpus"][0],
             {"name", "memory", "multiprocessors", "compute_capability"});
  check_null(shown["steps"][0], {"number", "start"});
  check_null(shown["operators"]["by_name"][0], {"shapes"});
  check_null(shown["kernels"]["rows"][0], {"op", "grid", "block", "occupancy", "blocks_per_sm"});
  check_null(shown["gpus"][0], {"gpu", "sm_efficiency", "occupancy"});
  check_null(shown["copies"][0], {"memory", "bytes", "bandwidth"});
  check_null(shown["syncs"][0], {"op", "outer"});
  check_null(shown["communication"], {"skew_us"});
  check_null(shown["communication"]["collectives"][0], {"dtype", "bytes", "bandwidth"});
  check_null(shown["communication"]["overlap"][0], {"rank", "overlap_percent"});
  check_null(shown["communication"]["stragglers"][0], {"rank"});
  check_null(shown["memory"][0], {"capacity", "peak_time", "growth_per_step"});
  check_null(shown["memory"][0]["holders"][0], {"op", "outer", "other_count"});
  check_null(shown["annotations"][0], {"gpu_us", "histogram"});
}

TEST_CASE("a moment of a trace whose clock is not known is no date") {
  result::Result result;
  result.traces = test::full_traces();
  CHECK(result::to_json(result)["traces"]["memory"][0]["peak_time"] ==
        "2023-11-14T22:13:40.000400Z");
  result.traces.memory[0].clock_known = false;
  check_null(result::to_json(result)["traces"]["memory"][0], {"peak_time"});
}

TEST_CASE("what the page draws of traces is not in the document") {
  result::Result result;
  result.traces = test::full_traces();
  result.traces.views.emplace_back();
  const auto shown = result::to_json(result)["traces"];
  CHECK_FALSE(shown.contains("views"));
  for (const char* key : {"times", "allocated", "reserved"}) {
    CAPTURE(key);
    CHECK_FALSE(shown["memory"][0].contains(key));
  }
}

TEST_CASE("what is not known of a rule is null, and maps are objects even when empty") {
  result::Result result;
  auto& rule = result.rules.emplace_back();
  rule.incidents.emplace_back();
  rule.devices.emplace_back();
  rule.activity.inside_seconds = 1; // without rows there is nothing to compare
  const auto row = result::to_json(result)["rules"][0];
  CHECK(row["status"] == "not_evaluated");
  check_null(row, {"reason", "activity"});
  check_null(row["incidents"][0], {"device", "what"});
  CHECK(row["parameters"] == json::object());
  CHECK(row["devices"][0]["figures"] == json::object());
  CHECK(row["parts"] == json::array());
}

TEST_CASE("SageMaker's details of a rule are not in the document") {
  const auto row = result::to_json(test::full_result())["rules"][0];
  CHECK(row["rule"] == "LowGPUUtilization");
  CHECK_FALSE(row.contains("details"));
}

TEST_CASE("text of every part that is not UTF-8 stays text") {
  const std::string odd = "n\xFF";
  const std::string shown = "n\uFFFD";
  auto result = test::full_result();
  result.time_accounting.parts[0].part = {result::PhaseKind::steps, odd};
  result.devices[0].node = odd;
  result.load_balance.pairs[0].second = odd;
  result.framework.phase[0].process = odd;
  result.framework.gpu_operators.rows[0].name = odd;
  result.steps[0].mode = odd;
  result.rules[0].parameters = {{odd, odd}};
  result.rules[0].incidents[0].what = odd;
  result.rules[0].devices[0].figures = {{odd, 1}};
  result.rules[0].activity.rows[0].name = odd;
  result.provenance.ignored_parameters[0].value = odd;
  const auto document = read_back(result);
  CHECK(document["time_accounting"]["parts"][0]["part"] == shown);
  CHECK(document["devices"][0]["node"] == shown);
  CHECK(document["load_balance"]["pairs"][0]["second"] == shown);
  CHECK(document["framework"]["phase"][0]["process"] == shown);
  CHECK(document["framework"]["gpu_operators"][0]["operator"] == shown);
  CHECK(document["steps"][0]["mode"] == shown);
  const auto& rule = document["rules"][0];
  CHECK(rule["parameters"] == json{{shown, shown}});
  CHECK(rule["incidents"][0]["what"] == shown);
  CHECK(rule["devices"][0]["figures"] == json{{shown, 1.0}});
  CHECK(rule["activity"]["rows"][0]["name"] == shown);
  CHECK(document["provenance"]["ignored_parameters"][0]["value"] == shown);
}

TEST_CASE("numbers of every part that JSON cannot hold become null") {
  auto result = test::full_result();
  result.time_accounting.parts[0].percent = NAN;
  result.devices[0].mean = INFINITY;
  result.devices[0].histogram.edges[2] = INFINITY;
  result.load_balance.pairs[0].distance = -INFINITY;
  result.framework.phase[0].percent = NAN;
  result.framework.cpu_operators.rows[0].self_percent = NAN;
  result.steps[0].max = INFINITY;
  result.steps[0].outlying[0].seconds = INFINITY;
  result.data_loading.times[0].p95 = NAN;
  result.rules[0].incident_seconds = INFINITY;
  result.rules[0].devices[0].figures["p95"] = NAN;
  result.rules[0].parts[0].percent = NAN;
  result.rules[0].activity.rows[0].outside_percent = INFINITY;
  const auto document = read_back(result);
  check_null(document["time_accounting"]["parts"][0], {"percent"});
  check_null(document["devices"][0], {"mean"});
  CHECK(document["devices"][0]["histogram"]["edges"] == json::parse("[0.0, 50.0, null]"));
  check_null(document["load_balance"]["pairs"][0], {"distance"});
  check_null(document["framework"]["phase"][0], {"percent"});
  check_null(document["framework"]["cpu_operators"][0], {"self_percent"});
  check_null(document["steps"][0], {"max"});
  check_null(document["steps"][0]["outlying"][0], {"seconds"});
  check_null(document["data_loading"]["times"][0], {"p95"});
  const auto& rule = document["rules"][0];
  check_null(rule, {"incident_seconds"});
  check_null(rule["devices"][0]["figures"], {"p95"});
  check_null(rule["parts"][0], {"percent"});
  check_null(rule["activity"]["rows"][0], {"outside_percent"});
}

} // namespace test_json_parts
