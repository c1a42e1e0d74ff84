#include "custom_rules/judged.h"
#include "custom_rules/run_custom_rules.h"
#include "util/error.h"

#include <filesystem>
#include <map>

namespace test_run_custom_rules {

using namespace debrief;
using custom_rules::CustomRules;

namespace {

job::Job job() {
  job::Job job;
  test::add(job, {"gpu", "gpu0", "GPUUtilization"}, test::flat(100, 40));
  return job;
}

CustomRules rules(const std::string& list) {
  return {custom_rules::read_custom_rules(nlohmann::json::parse(list), "test", ""), {}};
}

std::map<std::string, result::RuleRow> rows(CustomRules custom) {
  pipeline::AnalyzeOptions options;
  options.custom = std::move(custom);
  pipeline::StageClock clock;
  std::map<std::string, result::RuleRow> out;
  for (result::RuleRow& row : pipeline::analyze(job(), options, clock).rules)
    out[row.rule] = std::move(row);
  return out;
}

constexpr const char* kListing = R"([{"name": "Lists", "program": ["sh", "-c",
  "printf '{\"triggered\": true, \"reason\": \"%s\"}' \"$1 $(ls $1 | tr '\\n' ' ')\"", "sh"]}])";

} // namespace

TEST_CASE("custom rules are rows among the others, most triggered first") {
  CustomRules custom = rules(R"([{"name": "A", "when": "gpu.p50 < 1"},
                                 {"name": "B", "when": "gpu.p50 < 50", "severity": "info"}])");
  const auto found = rows(custom);
  CHECK(found.at("A").status == result::RuleStatus::no_issue);
  CHECK(found.at("B").status == result::RuleStatus::issue_found);
  CHECK(found.at("B").severity == result::Severity::info);
  CHECK(found.at("B").parameters.at(0).second == "gpu.p50 < 50");
  CHECK_FALSE(found.at("StepOutlier").is_custom());
}

TEST_CASE("a program sees tables and the result in a folder that is gone afterwards") {
  CustomRules custom = rules(kListing);
  custom.write_tables = [](const std::string& folder) {
    std::ofstream{folder + "/metrics.arrow"} << "x";
  };
  const result::RuleRow row = rows(custom).at("Lists");
  CHECK(row.status == result::RuleStatus::issue_found);
  CHECK(row.reason.ends_with(" metrics.arrow result.json "));
  CHECK_FALSE(std::filesystem::exists(row.reason.substr(0, row.reason.find(' '))));
}

TEST_CASE("no program runs where nobody writes tables, or where they cannot be written") {
  CHECK(rows(rules(kListing)).at("Lists").reason == "programs are not run here");
  CustomRules custom = rules(kListing);
  custom.write_tables = [](const std::string&) { throw Error("the disk is full"); };
  const result::RuleRow row = rows(custom).at("Lists");
  CHECK(row.status == result::RuleStatus::not_evaluated);
  CHECK(row.reason == "the job's tables could not be written: the disk is full");
}

TEST_CASE("a custom rule is explained by the finding in whose time it triggered") {
  job::Job idle;
  test::add(idle, {"gpu", "gpu0", "GPUUtilization"}, test::flat(2000, 0));
  const result::RuleRow row = test::judged(idle, "gpu.util < 5 for 1min");
  CHECK(row.triggered == 1);
  CHECK_FALSE(row.explained_by.empty());
}

} // namespace test_run_custom_rules
