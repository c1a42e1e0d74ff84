#include "pipeline/config.h"
#include "support.h"
#include "util/error.h"

#include <catch2/catch_test_macros.hpp>

#include <map>

namespace test_config {

using namespace debrief;

using Changed = std::map<std::string, std::string>;

namespace {

Changed changed_by(const std::string& text) {
  pipeline::Config config;
  pipeline::apply_config(text, "debrief.json", config);
  return config.rules.changed();
}

std::string error_of(const std::string& text) {
  try {
    changed_by(text);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

std::string error_of_file(const std::string& path) {
  pipeline::Config config;
  try {
    pipeline::apply_config(pipeline::read_config_text(path), path, config);
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

} // namespace

TEST_CASE("a config says what a recorder does while a job runs") {
  pipeline::Config config;
  pipeline::apply_config(R"({"on": ["idle_gpus for 10min=stop"], "energy_price": 0.3,
                   "smtp": {"server": "smtps://mail.example.com", "from": "a@b", "user": "me"}})",
                         "debrief.json", config);
  REQUIRE(config.actions.triggers.size() == 1);
  CHECK(config.actions.triggers[0].condition.text == "idle_gpus for 10min");
  CHECK(config.actions.mail.url == "smtps://mail.example.com");
  CHECK(config.actions.mail.from == "a@b");
  CHECK(config.actions.mail.user == "me");
  CHECK(config.energy_price == 0.3);
}

TEST_CASE("a config has rules, which its checks may name wherever they stand") {
  pipeline::Config config;
  pipeline::apply_config(
      R"({"fail_on": ["Mine"], "rules": {"StepOutlier": {"stddev": 5}, "custom": [
                   {"name": "Mine", "when": "gpu.util < 5 for 1min"},
                   {"name": "Program", "program": ["./a"]}]}})",
      "folder/debrief.json", config);
  REQUIRE(config.custom_rules.size() == 2);
  CHECK(config.custom_rules[1].program()->folder == "folder");
  CHECK(config.gate.fail_on.at(0).name == "Mine");
  CHECK(error_of(R"({"fail_on": ["Mine"]})").starts_with("debrief.json, fail_on[0] 'Mine'"));
  CHECK(error_of(R"({"rules": {"custom": {}}})") == "debrief.json, rules.custom: is not a list");
  CHECK(
      error_of(R"({"rules": {"custom": [{"name": "A", "when": "gpu.utl < 5"}]}})") ==
      "debrief.json, rules.custom[0].when 'gpu.utl < 5': unknown metric, series, scalar or tensor "
      "'gpu.utl' (did you mean 'gpu.util'?); docs/custom-rules.md says how to name them");
}

TEST_CASE("what a recorder cannot do is refused in a config") {
  CHECK(error_of(R"({"on": "idle=stop"})") == "debrief.json, on: is not a list");
  CHECK(error_of(R"({"on": ["idle"]})").starts_with("debrief.json, on[0] 'idle': has no action"));
  CHECK(error_of(R"({"smtp": {"server": "mail"}})")
            .starts_with("debrief.json, smtp.server: not a mail server"));
  CHECK(error_of(R"({"smtp": {"password": "x"}})")
            .starts_with("debrief.json, smtp.password: unknown setting"));
  CHECK(error_of(R"({"energy_price": -1})") ==
        "debrief.json, energy_price: not a price; write USD per kWh, such as 0.3");
}

TEST_CASE("a config sets rules' parameters, as numbers or texts") {
  CHECK(changed_by(R"({"$schema": "x", "rules": {
          "CPUBottleneck": {"cpu_threshold": 80, "gpu_threshold": "20.50"},
          "LoadBalancing": {"threshold": 0.5, "patience": 1000},
          "StepOutlier": {"mode": "TRAIN", "stddev": 4e0}, "Dataloader": {}}})") ==
        Changed{{"CPUBottleneck_cpu_threshold", "80"},
                {"CPUBottleneck_gpu_threshold", "20.5"},
                {"LoadBalancing_threshold", "0.5"},
                {"StepOutlier_mode", "TRAIN"},
                {"StepOutlier_stddev", "4"}});
}

TEST_CASE("a config may say nothing") {
  CHECK(changed_by("{}").empty());
  CHECK(changed_by(R"({"rules": {}})").empty());
  CHECK(changed_by(R"({"rules": {"StepOutlier": {"mode": null}}})").empty()); // None
}

TEST_CASE("a later config has the last word") {
  pipeline::Config config;
  pipeline::apply_config(R"({"rules": {"CPUBottleneck": {"patience": 5, "threshold": 9}}})", "a",
                         config);
  pipeline::apply_config(R"({"rules": {"CPUBottleneck": {"patience": 6}}})", "b", config);
  CHECK(config.rules.changed() ==
        Changed{{"CPUBottleneck_patience", "6"}, {"CPUBottleneck_threshold", "9"}});
}

TEST_CASE("what is not JSON is said to be so, with the place") {
  CHECK(error_of("") == "debrief.json: is not valid JSON at byte 1");
  CHECK(error_of(R"({"rules": )") == "debrief.json: is not valid JSON at byte 11");
  CHECK(error_of("{} x") == "debrief.json: is not valid JSON at byte 4");
  CHECK(error_of("{\"a\xff\": 1}") == "debrief.json: is not valid JSON at byte 4");
  CHECK(error_of(std::string(100'000, '[')) == "debrief.json: is not valid JSON at byte 100001");
}

TEST_CASE("what is no object where one must be is said to be so") {
  CHECK(error_of("[]") == "debrief.json: is not an object");
  CHECK(error_of("7") == "debrief.json: is not an object");
  CHECK(error_of(R"({"rules": []})") == "debrief.json, rules: is not an object");
  CHECK(error_of(R"({"rules": {"BatchSize": 70}})") ==
        "debrief.json, rules.BatchSize: is not an object");
}

TEST_CASE("a name that means nothing comes with the nearest that does") {
  CHECK(error_of(R"({"rule": {}})") ==
        "debrief.json: there is no setting 'rule' (did you mean 'rules'?); it may have rules, "
        "price, energy_price, on, smtp, fail_on, require, baseline, tolerance, $schema");
  CHECK(error_of(R"({"colors": {}})") == "debrief.json: there is no setting 'colors'; it may have "
                                         "rules, price, energy_price, on, smtp, "
                                         "fail_on, require, baseline, tolerance, $schema");
  const std::string no_rule =
      "unknown rule 'CPUBottlenek' (did you mean 'CPUBottleneck'?); 'debrief rules' lists them";
  CHECK(error_of(R"({"rules": {"CPUBottlenek": {"patience": 1}}})") ==
        "debrief.json, rules.CPUBottlenek.patience: " + no_rule);
  CHECK(error_of(R"({"rules": {"CPUBottlenek": {}}})") ==
        "debrief.json, rules.CPUBottlenek: " + no_rule);
  CHECK(
      error_of(R"({"rules": {"MaxInitializationTime": {"treshold": 1}}})") ==
      "debrief.json, rules.MaxInitializationTime.treshold: MaxInitializationTime has no parameter "
      "'treshold' (did you mean 'threshold'?); it takes threshold, scan_interval_us");
}

TEST_CASE("a value that means nothing comes with those that do") {
  const auto error_with = [](const std::string& rule, const std::string& setting) {
    return error_of(R"({"rules": {")" + rule + R"(": {)" + setting + "}}}");
  };
  CHECK(error_with("CPUBottleneck", R"("threshold": 101)") ==
        "debrief.json, rules.CPUBottleneck.threshold: 101 is out of range; use 0 to 100");
  CHECK(error_with("CPUBottleneck", R"("patience": -1)") ==
        "debrief.json, rules.CPUBottleneck.patience: -1 is out of range; use 0 to 1000000000");
  CHECK(
      error_with("CPUBottleneck", R"("patience": 1.5)") ==
      "debrief.json, rules.CPUBottleneck.patience: 1.5 is not a whole number; use 0 to 1000000000");
  CHECK(error_with("CPUBottleneck", R"("threshold": "NaN")") ==
        "debrief.json, rules.CPUBottleneck.threshold: 'NaN' is not a number; use 0 to 100");
  CHECK(error_with("CPUBottleneck", R"("threshold": null)") ==
        "debrief.json, rules.CPUBottleneck.threshold: 'None' is not a number; use 0 to 100");
  CHECK(error_with("CPUBottleneck", R"("threshold": [])") ==
        "debrief.json, rules.CPUBottleneck.threshold: is neither a number nor a text");
  CHECK(error_with("CPUBottleneck", R"("threshold": [50])") ==
        "debrief.json, rules.CPUBottleneck.threshold: is neither a number nor a text");
  CHECK(error_with("StepOutlier", R"("mode": "TRAINS")") ==
        "debrief.json, rules.StepOutlier.mode: 'TRAINS' is not a mode (did you mean 'TRAIN'?); use "
        "TRAIN, EVAL or None");
}

TEST_CASE("an error is one line, whatever the config holds") {
  for (const char* text : {R"({"a\nb": 1})", R"({"rules": {"a\nb": {"c\u202ed": 1}}})",
                           R"({"rules": {"BatchSize": {"a\nb": 1}}})",
                           R"({"rules": {"BatchSize": {"window": "a\nb"}}})"})
    CHECK(error_of(text).find('\n') == std::string::npos);
}

TEST_CASE("a config file that cannot be read is said to be so") {
  const test::Folder folder;
  CHECK(error_of_file(folder.path("none.json")) ==
        folder.path("none.json") + ": cannot be read as a config file (No such file or directory); "
                                   "give --config a JSON file");
  CHECK(error_of_file(folder.path()) ==
        folder.path() +
            ": cannot be read as a config file (Is a directory); give --config a JSON file");
  folder.write("large.json", std::string((1 << 20) + 1, ' '));
  CHECK(error_of_file(folder.path("large.json")) ==
        folder.path("large.json") + ": is larger than 1 MB, so it is not a config file");
  folder.write("good.json", R"({"rules": {"BatchSize": {"window": 7}}})");
  CHECK(error_of_file(folder.path("good.json")) == "no error");
}

TEST_CASE("an empty config file is not valid JSON") {
  const test::Folder folder;
  folder.write("empty.json", "");
  CHECK(error_of_file(folder.path("empty.json")) ==
        folder.path("empty.json") + ": is not valid JSON at byte 1");
}

TEST_CASE("a number that is too large for any is an error like others") {
  CHECK(error_of(R"({"rules": {"CPUBottleneck": {"threshold": 1e999}}})") ==
        "debrief.json: has a number that is too large to read");
}

TEST_CASE("a config says what a check demands") {
  pipeline::Config config;
  pipeline::apply_config(R"({"price": 2.5, "fail_on": ["severity>=warning", "StepOutlier"],
                   "require": ["gpu.p50 >= 70"], "baseline": "base/main.json",
                   "tolerance": {"default": "10%", "steps.train.p50": "2ms"}})",
                         "ci/debrief.json", config);
  CHECK(config.price == 2.5);
  REQUIRE(config.gate.fail_on.size() == 2);
  CHECK(config.gate.fail_on[1].name == "StepOutlier");
  REQUIRE(config.gate.require.size() == 1);
  CHECK(config.gate.require[0].figure == "gpu.p50");
  CHECK(config.gate.baseline == "ci/base/main.json"); // beside the config
  CHECK(config.gate.tolerances.figures().contains("steps.train.p50"));
  pipeline::Config other;
  pipeline::apply_config(R"({"baseline": "/abs/main.json"})", "ci/debrief.json", other);
  CHECK(other.gate.baseline == "/abs/main.json");
}

TEST_CASE("a demand of a config that means nothing is said to, with its place") {
  CHECK(error_of(R"({"fail_on": "step_stalls"})") == "debrief.json, fail_on: is not a list");
  CHECK(error_of(R"({"fail_on": [1]})") == "debrief.json, fail_on[0]: is not a text");
  CHECK(error_of(R"({"fail_on": ["step_stalls", "step_stall"]})") ==
        "debrief.json, fail_on[1] 'step_stall': not a finding, a rule or a severity (did you mean "
        "'step_stalls'?); docs/ci.md lists them");
  CHECK(error_of(R"({"require": ["gpu.p51 > 1"]})") ==
        "debrief.json, require[0] 'gpu.p51 > 1': unknown metric 'gpu.p51' (did you mean "
        "'gpu.p50'?); docs/figures.md lists them");
  CHECK(error_of(R"({"baseline": 1})") == "debrief.json, baseline: is not a text");
  CHECK(error_of(R"({"tolerance": "5%"})") == "debrief.json, tolerance: is not an object");
  CHECK(error_of(R"({"tolerance": {"default": 5}})") ==
        "debrief.json, tolerance.default: is not a text");
  CHECK(error_of(R"({"tolerance": {"gpu.p51": "5%"}})").find("did you mean 'gpu.p50'?") !=
        std::string::npos);
  const std::string no_price =
      "debrief.json, price: not a price; write USD per GPU-hour, such as 2.5";
  CHECK(error_of(R"({"price": "2"})") == no_price);
  CHECK(error_of(R"({"price": -1})") == no_price);
  CHECK(error_of(R"({"price": 1e300})") == no_price);
  CHECK(error_of(R"({"baseline": ""})") ==
        "debrief.json, baseline: is empty; name a result or a job, or leave it out");
  CHECK(error_of(R"({"fail_on": ["input_bound"], "fail_on": []})") ==
        "debrief.json: has 'fail_on' twice; keep one");
  CHECK(error_of(R"({"fail-on": []})").find("did you mean 'fail_on'?") != std::string::npos);
}

// That its cost grows with its length alone is counted by tests/golden/test_growth.py.
TEST_CASE("a long list that means nothing here is let be") {
  std::string text = R"({"$schema": [{})";
  for (int entry = 0; entry < 100'000; ++entry)
    text += ",{}";
  CHECK(error_of(text + "]}") == "no error");
}

} // namespace test_config
