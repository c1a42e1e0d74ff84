#include "rules/catalog.h"

#include <catch2/catch_test_macros.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <sstream>
#include <tuple>

namespace test_catalog {

using namespace debrief;
using nlohmann::ordered_json;

namespace {

std::vector<const rules::Rule*> every_rule() {
  std::vector<const rules::Rule*> list;
  for (const rules::Rule& rule : rules::all_rules())
    list.push_back(&rule);
  return list;
}

/// "threshold=0.2 patience=1000", in the order of the declaration.
std::string defaults(const char* rule) {
  std::string text;
  for (const rules::Parameter& parameter : rules::find_rule(rule)->declaration.parameters)
    if (parameter.name != "scan_interval_us")
      text += (text.empty() ? "" : " ") + parameter.name + "=" + parameter.default_value;
  return text;
}

} // namespace

TEST_CASE("there are eleven rules on how a job ran and twenty on its model, by group and name") {
  REQUIRE(rules::all_rules().size() == 31);
  CHECK(std::count_if(rules::all_rules().begin(), rules::all_rules().end(),
                      [](const rules::Rule& rule) {
                        return rule.declaration.group == rules::RuleGroup::profiler;
                      }) == 11);
  CHECK(std::is_sorted(rules::all_rules().begin(), rules::all_rules().end(),
                       [](const rules::Rule& a, const rules::Rule& b) {
                         return std::tie(a.declaration.group, a.declaration.name) <
                                std::tie(b.declaration.group, b.declaration.name);
                       }));
  CHECK(rules::find_rule("LoadBalancing") != nullptr);
  CHECK(rules::find_rule("loadbalancing") == nullptr);
  CHECK(rules::find_rule("") == nullptr);
}

TEST_CASE("defaults are those of SageMaker's production") {
  CHECK(defaults("LowGPUUtilization") ==
        "threshold_p95=70 threshold_p5=10 window=500 patience=1000");
  CHECK(defaults("LoadBalancing") == "threshold=0.2 patience=1000");
  CHECK(defaults("IOBottleneck") == "threshold=50 io_threshold=50 gpu_threshold=10 patience=1000");
  CHECK(defaults("CPUBottleneck") ==
        "threshold=50 cpu_threshold=90 gpu_threshold=10 patience=1000");
  CHECK(defaults("BatchSize") == "cpu_threshold_p95=70 gpu_threshold_p95=70 "
                                 "gpu_memory_threshold_p95=70 patience=1000 window=500");
  CHECK(defaults("GPUMemoryIncrease") == "increase=5 patience=1000 window=10");
  CHECK(defaults("Dataloader") == "min_threshold=70 max_threshold=200");
  CHECK(defaults("StepOutlier") == "mode=None n_outliers=10 stddev=3");
  CHECK(defaults("MaxInitializationTime") == "threshold=20");
  CHECK(defaults("OverallSystemUsage").empty());
  CHECK(defaults("OverallFrameworkMetrics").empty());
}

TEST_CASE("every rule explains itself, and its defaults pass its own validation") {
  for (const rules::Rule& rule : rules::all_rules()) {
    INFO(rule.declaration.name);
    CHECK_FALSE(rule.declaration.description.empty());
    CHECK_FALSE(rule.declaration.recommendation.empty());
    REQUIRE_FALSE(rule.declaration.parameters.empty());
    const bool profiler = rule.declaration.group == rules::RuleGroup::profiler;
    CHECK((rule.declaration.parameters.back().name == "scan_interval_us") == profiler);
    CHECK((rule.evaluate != nullptr) == profiler);
    CHECK((rule.watch != nullptr) != profiler);
    for (const rules::Parameter& parameter : rule.declaration.parameters) {
      INFO(parameter.name);
      CHECK_FALSE(parameter.meaning.empty());
      CHECK(rules::checked_value(parameter, parameter.default_value, "default") ==
            parameter.default_value);
    }
  }
}

TEST_CASE("the catalog for programs has every rule with its parameters") {
  const auto list = ordered_json::parse(rules::rules_json(every_rule()));
  REQUIRE(list.size() == 31);
  CHECK(list[0]["rule"] == "BatchSize");
  CHECK(list[0]["looks_at"] == "system metrics");
  const auto& window = list[0]["parameters"][4];
  CHECK(window["set_as"] == "BatchSize_window");
  CHECK(window["default"] == 500);
  CHECK(window["type"] == "integer");
  CHECK(window["unit"] == "samples");
  CHECK(window["min"] == 1);
  const auto& mode = list[10]["parameters"][0];
  CHECK(mode["type"] == "mode");
  CHECK(mode["default"] == "None");
  CHECK(mode["unit"].is_null());
  CHECK(mode["values"] == ordered_json::array({"TRAIN", "EVAL", "None"}));
  CHECK(list[11]["rule"] == "AllZero");
  CHECK(list[11]["group"] == "Model rules");
  CHECK(list[11]["parameters"][1]["type"] == "regular expressions");
}

TEST_CASE("the catalog on a terminal is no wider than a page") {
  std::istringstream text{rules::rules_text(every_rule())};
  std::string line;
  bool found = false;
  while (std::getline(text, line)) {
    INFO(line);
    CHECK(line.size() <= 100);
    found |= line == "    LoadBalancing_threshold = 0.2  (0 to 1)";
  }
  CHECK(found);
}

TEST_CASE("the catalog of one rule has that rule only") {
  const std::vector<const rules::Rule*> one = {rules::find_rule("Dataloader")};
  CHECK(rules::rules_text(one).starts_with("Dataloader  (looks at framework events)\n"));
  CHECK(ordered_json::parse(rules::rules_json(one)).size() == 1);
  const std::string page = rules::rules_markdown(one);
  CHECK(page.find("\n## Dataloader\n") != page.npos);
  CHECK(page.find("\n## BatchSize\n") == page.npos);
  CHECK(page.find("# Profiler rules") == page.npos);
  CHECK(page.find("| `min_threshold` | 70 | 0 to 100000 % of cores |") != page.npos);
}

} // namespace test_catalog
