#include "render/example.h"
#include "render/parts/rule_words.h"
#include "render/view_support.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

namespace test_rules_view {

using namespace debrief;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;

namespace {

result::Result with_rule(result::RuleRow rule) {
  result::Result result;
  result.rules = {std::move(rule)};
  return result;
}

} // namespace

TEST_CASE("the rules' summary says how many triggered, for how long, and why") {
  const auto view = view_of(render::kRulesSection, example_result());
  CHECK(take_away(view) == "2 of 8 rules triggered. 1 more did not have enough data to run.");
  CHECK(cell(view, "Rules", 0, "Status") == "triggered");
  CHECK(cell(view, "Rules", 0, "Time") == "10 s");
  CHECK(cell(view, "Rules", 0, "Explained by") == "No finding");
  CHECK(cell(view, "Rules", 0, "Violations") == "12");
  CHECK(cell(view, "Rules", 8, "Status") == "not evaluated");
  CHECK(cell(view, "Rules", 8, "Triggered") == "–");
  CHECK(cell(view, "Rules", 8, "Samples") == "1,310");
  CHECK(cell(view, "Rules", 8, "Note") == "No step was recorded.");
}

TEST_CASE("each rule has its words, parameters and times; those with an issue are open") {
  const auto list = view_of(render::kRulesSection, example_result())["items"];
  CHECK(list[0]["open"] == true);
  CHECK(list[0]["description"] == "Looks for what LowGPUUtilization looks for.");
  CHECK(list[0]["parameters"][0] == "threshold = 50");
  CHECK(list[0]["incidents"] == "Triggered for 10 s in 1 interval.");
  CHECK(cell(list[0], "LowGPUUtilization intervals", 0, "Where") == "gpu0 of algo-1");
  CHECK(list[2]["open"] == false);
  CHECK(list[2]["incidents"].is_null());
}

TEST_CASE("a custom rule says how severe it is, and nothing of what nobody wrote") {
  result::RuleRow rule;
  rule.rule = "OverallMine"; // no rule that only collects, whatever its name
  rule.description = "d";
  rule.status = result::RuleStatus::issue_found;
  rule.severity = result::Severity::critical;
  rule.triggered = 1;
  const auto view = view_of(render::kRulesSection, with_rule(rule));
  CHECK(take_away(view) == "1 of 1 rule triggered.");
  CHECK(cell(view, "Rules", 0, "Severity") == "Critical");
  CHECK(view["items"][0]["advice"]["text"] == "");
}

TEST_CASE("a rule on the model lists its tensors, with value, threshold and steps") {
  result::RuleRow rule;
  rule.rule = "VanishingGradient";
  rule.status = result::RuleStatus::issue_found;
  rule.triggered = 1200;
  rule.model.step_count = 1200;
  rule.model.steps = {5};
  rule.model.tensor_count = 1;
  result::TensorFinding found;
  found.tensor = "gradient/<b>";
  found.condition = "mean of absolute values";
  found.relation = "below";
  found.value = 3e-9;
  found.threshold = 1e-7;
  found.step_count = 1200;
  for (std::int64_t step = 5; step < 205; ++step)
    found.steps.push_back(step);
  rule.model.tensors = {found};
  const auto item = view_of(render::kRulesSection, with_rule(rule))["items"][0];
  const std::string table = "VanishingGradient tensors";
  CHECK(cell(item, table, 0, "Condition") == "Mean of absolute values, below");
  CHECK(cell(item, table, 0, "Value") == "3e-9");
  CHECK(cell(item, table, 0, "Steps") == "1,200");
  CHECK(cell(item, table, 0, "At steps") == "5, 6, 7, 8, 9, 10, 11, 12 and 1,192 more");
}

TEST_CASE("where a finding explains a rule, the rule's own advice is silent") {
  result::Result result = example_result();
  const auto advice = [&] { return view_of(render::kRulesSection, result)["items"][0]["advice"]; };
  CHECK(advice()["text"].get<std::string>().starts_with("What to do: "));
  CHECK(advice()["finding"].is_null());
  result.rules[0].explained_by = "input_bound";
  CHECK(!advice()["text"].get<std::string>().starts_with("What to do"));
  CHECK(advice()["finding"]["id"] == "finding-input_bound");
  CHECK(advice()["finding"]["text"] == "Waiting on data");
  const auto view = view_of(render::kRulesSection, result);
  CHECK(view["items"][0]["open"] == false);
  CHECK(cell(view, "Rules", 0, "Explained by") == "Waiting on data");
  CHECK_THAT(take_away(view), StartsWith("2 of 8 rules triggered, 1 of them explained"));
  result.rules[1].explained_by = "input_bound";
  CHECK_THAT(take_away(view_of(render::kRulesSection, result)),
             StartsWith("2 of 8 rules triggered, explained by findings."));
}

TEST_CASE("devices that trigger side by side take the time on the clock once") {
  result::RuleRow rule = example_rule("LowGPUUtilization", result::RuleStatus::issue_found);
  rule.incidents.clear();
  for (const char* device : {"gpu0", "gpu1", "gpu2"})
    rule.incidents.push_back(
        {.node = "algo-1", .device = device, .span = {0, 60 * kSecond}, .what = ""});
  rule.incident_count = 3;
  rule.incident_seconds = 180;
  rule.clock_seconds = 60;
  const auto list = view_of(render::kRulesSection, with_rule(rule))["items"];
  CHECK(list[0]["incidents"] == "Triggered for 1 min 0 s in 3 intervals.");
}

TEST_CASE("rules that found nothing, and rules that were not evaluated, are not the same") {
  using result::RuleStatus;
  CHECK(take_away(view_of(render::kRulesSection,
                          with_rule(example_rule("BatchSize", RuleStatus::no_issue)))) ==
        "None of 1 rule triggered.");
  CHECK_THAT(take_away(view_of(render::kRulesSection,
                               with_rule(example_rule("BatchSize", RuleStatus::not_evaluated)))),
             StartsWith("No rule had enough data"));
  CHECK_THAT(only_note(view_of(render::kRulesSection, result::Result{})),
             StartsWith("No rule ran"));
}

TEST_CASE("counts that are SageMaker's own say so") {
  result::RuleRow rule = example_rule("BatchSize", result::RuleStatus::issue_found);
  rule.recorded_by_sagemaker = true;
  const auto view = view_of(render::kRulesSection, with_rule(rule));
  CHECK(cell(view, "Rules", 0, "Status") == "triggered (SageMaker)");
  CHECK(has_note(view, "its rule outputs"));
  CHECK_THAT(render::outcome_sentence(&rule), ContainsSubstring("by SageMaker's count"));
}

TEST_CASE("a rule's outcome is one sentence") {
  using result::RuleStatus;
  result::RuleRow rule = example_rule("BatchSize", RuleStatus::not_evaluated);
  CHECK(render::outcome_sentence(nullptr).empty());
  CHECK(render::outcome_sentence(&rule) == "BatchSize was not evaluated.");
  rule.reason = "fewer than 1000 samples.";
  CHECK(render::outcome_sentence(&rule) == "BatchSize was not evaluated: fewer than 1000 samples.");
  rule.status = RuleStatus::no_issue;
  CHECK(render::outcome_sentence(&rule) ==
        "BatchSize did not trigger in 1,310 samples. Fewer than 1000 samples.");
}

TEST_CASE("a parameter is a number or absent") {
  result::RuleRow rule;
  rule.parameters = {{"threshold", "0.2"}, {"mode", "None"}, {"empty", ""}, {"big", "inf"}};
  CHECK(render::parameter(&rule, "threshold") == 0.2);
  for (const char* name : {"mode", "empty", "big", "other"})
    CHECK(!render::parameter(&rule, name));
  CHECK(!render::parameter(nullptr, "threshold"));
}

TEST_CASE("bottlenecks are a share against the threshold, with what ran meanwhile") {
  const result::Result result = example_result();
  const auto view = view_of(render::kCpuBottlenecksSection, result);
  CHECK_THAT(take_away(view),
             StartsWith("12 of 1,310 samples are CPU bottlenecks: 0.9%, not above the threshold "
                        "of 50%; earlier in the job the share was above it."));
  CHECK_THAT(take_away(view),
             ContainsSubstring("During CPU bottlenecks (2.5 s), checkpoint ran for 48.0% of "
                               "the recorded time, against 0.5% otherwise."));
  CHECK(cell(view, "Samples with and without", 1, "Count") == "12");
  CHECK(cell(view, "Work during CPU bottlenecks", 0, "Kind") == "General operation");
  CHECK(cell(view, "Work during CPU bottlenecks", 0, "Difference (points)") == "47.50");
}

TEST_CASE("bottlenecks that were not looked for are one line") {
  result::Result result = example_result();
  result.rules[1] = example_rule("CPUBottleneck", result::RuleStatus::not_evaluated);
  result.rules[1].datapoints = 500;
  result.rules[1].reason = "too few samples";
  CHECK(only_note(view_of(render::kCpuBottlenecksSection, result)) ==
        "CPUBottleneck was not evaluated: too few samples.");
  result.devices.clear();
  result.system_usage[0].metric = result::Metric::cpu;
  CHECK_THAT(only_note(view_of(render::kCpuBottlenecksSection, result)),
             StartsWith("No GPU was recorded"));
  CHECK_THAT(only_note(view_of(render::kIoBottlenecksSection, result::Result{})),
             StartsWith("No GPU metrics"));
}

} // namespace test_rules_view
