#include "render/documents/rule_outputs.h"
#include "support.h"
#include "util/error.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_exception.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <sstream>

namespace test_rule_outputs {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::MessageMatches;
using render::rule_output_text;
using render::write_rule_outputs;

namespace {

result::RuleRow low_gpu() {
  result::RuleRow rule;
  rule.rule = "LowGPUUtilization";
  rule.triggered = 4;
  rule.violations = 5;
  rule.datapoints = 1068;
  rule.parameters = {{"threshold_p95", "70"}, {"patience", "1000"}};
  rule.details["algo-1"]["gpu0"] = {{"gpu_max", 91.0}, {"p25", 0.0}};
  rule.details["last_timestamp"] = 1671186660000000;
  return rule;
}

std::string content(const std::string& path) {
  std::ostringstream text;
  text << std::ifstream{path, std::ios::binary}.rdbuf();
  return text.str();
}

} // namespace

TEST_CASE("a rule's output has SageMaker's keys in SageMaker's order, on one line") {
  CHECK(rule_output_text(low_gpu()) ==
        R"({"RuleTriggered": 4, "Violations": 5, "Details": {"algo-1": {"gpu0": {"gpu_max": 91.0, )"
        R"("p25": 0.0}}, "last_timestamp": 1671186660000000}, "Datapoints": 1068, )"
        R"("RuleParameters": "threshold_p95:70\npatience:1000"})");
}

TEST_CASE("a rule without details or parameters has them empty") {
  CHECK(rule_output_text({}) ==
        R"({"RuleTriggered": 0, "Violations": 0, "Details": {}, "Datapoints": 0, )"
        R"("RuleParameters": ""})");
}

TEST_CASE("every rule is a file in a folder that is made, SageMaker's own as it was") {
  const test::Folder folder;
  result::Result result;
  result.rules.push_back(low_gpu());
  result.rules.emplace_back().rule = "BatchSize";
  result.rules.push_back(low_gpu());
  result.rules.back().rule = "Dataloader";
  result.rules.back().recorded_text = R"({"RuleTriggered": 1})";
  const std::string place = folder.path("new/rules");
  const std::size_t bytes = write_rule_outputs(result, place);
  const std::string low = content(place + "/LowGPUUtilization.json");
  CHECK(low == rule_output_text(low_gpu()));
  CHECK(content(place + "/Dataloader.json") == R"({"RuleTriggered": 1})");
  CHECK(bytes == low.size() + content(place + "/BatchSize.json").size() + 20);
}

TEST_CASE("a job with nothing but SageMaker's outputs has nothing to write") {
  const test::Folder folder;
  result::Result result;
  result.rules.push_back(low_gpu());
  result.rules.back().recorded_text = "{}";
  const std::string place = folder.path("rules");
  CHECK_THROWS_MATCHES(write_rule_outputs(result, place), Error,
                       MessageMatches(ContainsSubstring("--rule-outputs " + place)));
  CHECK_FALSE(std::filesystem::exists(place));
}

TEST_CASE("a folder that cannot be made is said to be so") {
  const test::Folder folder;
  folder.write("file", "");
  result::Result result;
  result.rules.push_back(low_gpu());
  CHECK_THROWS_MATCHES(write_rule_outputs(result, folder.path("file/rules")), Error,
                       MessageMatches(ContainsSubstring("cannot create the folder")));
}

} // namespace test_rule_outputs
