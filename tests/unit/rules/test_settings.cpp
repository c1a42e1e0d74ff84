#include "rules/settings.h"
#include "util/error.h"

#include <catch2/catch_test_macros.hpp>

namespace test_settings {

using namespace debrief;

namespace {

std::string refusal(const std::string& name, const std::string& value) {
  try {
    rules::RuleSettings settings;
    settings.set(name, value, "--param");
    return "";
  } catch (const Error& error) {
    return error.what();
  }
}

double number(const rules::RuleSettings& settings, const char* rule, const char* parameter) {
  return settings.values_for(*rules::find_rule(rule)).number(parameter);
}

} // namespace

TEST_CASE("a setting of one rule leaves the others as they are") {
  rules::RuleSettings settings;
  settings.set("CPUBottleneck_cpu_threshold", "80", "--param");
  settings.set("IOBottleneck", "threshold", "33.5", "debrief.json");
  CHECK(number(settings, "CPUBottleneck", "cpu_threshold") == 80);
  CHECK(number(settings, "CPUBottleneck", "threshold") == 50);
  CHECK(number(settings, "IOBottleneck", "threshold") == 33.5);
  CHECK(number(settings, "IOBottleneck", "gpu_threshold") == 10);
}

TEST_CASE("later settings go over earlier ones") {
  rules::RuleSettings settings;
  settings.set("BatchSize_window", "10", "the job's description");
  settings.set("BatchSize_window", "20", "the job's description");
  settings.set("BatchSize_patience", "7", "the job's description");
  rules::RuleSettings later;
  later.set("BatchSize_window", "30", "--param");
  settings.override_with(later);
  CHECK(number(settings, "BatchSize", "window") == 30);
  CHECK(number(settings, "BatchSize", "patience") == 7);
}

TEST_CASE("what differs from its default is listed") {
  rules::RuleSettings settings;
  CHECK(settings.changed().empty());
  settings.set("StepOutlier_mode", "TRAIN", "--param");
  settings.set("StepOutlier_stddev", "3.0", "--param"); // as it was
  settings.set("Dataloader_max_threshold", "150", "--param");
  CHECK(settings.changed() ==
        std::map<std::string, std::string>{{"Dataloader_max_threshold", "150"},
                                           {"StepOutlier_mode", "TRAIN"}});
}

TEST_CASE("a name that is no rule is refused with the nearest one") {
  CHECK(refusal("CPUBotleneck_threshold", "50") ==
        "--param: unknown rule 'CPUBotleneck' (did you mean 'CPUBottleneck'?); 'debrief rules' "
        "lists them");
  CHECK(refusal("cpu_threshold", "50") ==
        "--param: unknown rule 'cpu'; 'debrief rules' lists them");
  CHECK(refusal("ProfilerReport_threshold", "50").find("unknown rule") != std::string::npos);
}

TEST_CASE("a parameter that the rule does not have is refused with the nearest one") {
  CHECK(refusal("LoadBalancing_treshold", "0.3") ==
        "--param: LoadBalancing has no parameter 'treshold' (did you mean 'threshold'?); it takes "
        "threshold, patience, scan_interval_us");
  CHECK_FALSE(refusal("OverallSystemUsage_threshold", "1").empty());
  CHECK_FALSE(refusal("LoadBalancing_", "1").empty());
}

TEST_CASE("a name without a parameter is refused with the way to write it") {
  CHECK(refusal("LoadBalancing", "1").find("write <Rule>_<parameter>") != std::string::npos);
  CHECK_FALSE(refusal("", "1").empty());
  CHECK_FALSE(refusal("_", "1").empty());
}

TEST_CASE("a value of the wrong type or out of range is refused") {
  CHECK(refusal("LoadBalancing_threshold", "1.5") == "--param: 1.5 is out of range; use 0 to 1");
  CHECK_FALSE(refusal("CPUBottleneck_cpu_threshold", "101").empty());
  CHECK_FALSE(refusal("BatchSize_window", "0").empty());
  CHECK_FALSE(refusal("BatchSize_patience", "-1").empty());
  CHECK_FALSE(refusal("StepOutlier_mode", "PREDICT").empty());
  CHECK_FALSE(refusal("StepOutlier_n_outliers", "1.5").empty());
  CHECK_FALSE(refusal("MaxInitializationTime_threshold", "soon").empty());
  CHECK_FALSE(refusal("Dataloader_scan_interval_us", "0").empty());
}

TEST_CASE("a refused setting changes nothing") {
  rules::RuleSettings settings;
  settings.set("BatchSize_window", "10", "--param");
  CHECK_THROWS_AS(settings.set("BatchSize_window", "0", "--param"), Error);
  CHECK(number(settings, "BatchSize", "window") == 10);
}

TEST_CASE("a refusal shows hostile names harmlessly") {
  const std::string text = refusal("\x1b[2J\xff\n_x", "1");
  CHECK(text.find('\x1b') == std::string::npos);
  CHECK(text.find('\n') == std::string::npos);
  CHECK(text.find('\xff') == std::string::npos);
}

} // namespace test_settings
