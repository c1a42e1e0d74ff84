#include "compare/diff.h"
#include "result/from_document.h"

#include <catch2/catch_test_macros.hpp>
#include <catch2/matchers/catch_matchers_floating_point.hpp>

namespace test_diff {

using namespace debrief::compare;
using debrief::result::FindingKind;
using debrief::result::Result;
using debrief::test::from_document;
using nlohmann::json;

namespace {

json finding(const char* kind, double score, const char* severity = "warning") {
  return {{"kind", kind}, {"severity", severity}, {"title", kind}, {"score", score}};
}

Result rule(const char* status, double violations) {
  return from_document({{"rules",
                         {{{"rule", "CPUBottleneck"},
                           {"status", status},
                           {"violations", violations},
                           {"datapoints", 100}}}}});
}

json op(const char* name, double self_us, double calls, double percent) {
  return {{"operator", name},
          {"total_us", 2 * self_us},
          {"self_us", self_us},
          {"calls", calls},
          {"self_percent", percent}};
}

Result operators(std::vector<json> rows) {
  const std::size_t count = rows.size();
  return from_document(
      {{"framework", {{"cpu_operators", std::move(rows)}, {"cpu_operator_count", count}}}});
}

json gpu(double p50, const char* severity = "info") {
  return {{"system_usage", {{{"node", "a"}, {"metric", "GPU"}, {"p50", p50}}}},
          {"findings", {finding("input_bound", 0.5, severity)}},
          {"verdict", {{"kind", "input_bound"}}}};
}

json paced(double loop, double p50) {
  json document = gpu(p50);
  document["job"] = {{"training_loop_start", "1700000000"},
                     {"training_loop_end", std::to_string(1'700'000'000 + loop)}};
  document["steps"] = {{{"mode", "TRAIN"}, {"process", "p"}, {"count", 100}}};
  return document;
}

Outcome outcome(const json& before, const json& after) {
  return make_diff(from_document(before), from_document(after)).outcome;
}

} // namespace

TEST_CASE("Findings are new, gone, or stayed with their scores") {
  const Result before =
      from_document({{"findings", {finding("slow_start", 0.2), finding("io_bound", 0.10)}}});
  const Result after =
      from_document({{"findings", {finding("io_bound", 0.30), finding("step_stalls", 0.05)}}});
  const auto rows = diff_findings(before, after);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].kind == FindingKind::step_stalls);
  CHECK_FALSE(rows[0].before);
  CHECK(rows[0].word == ChangeKind::worse);
  CHECK(rows[1].kind == FindingKind::slow_start);
  CHECK_FALSE(rows[1].after);
  CHECK(rows[1].word == ChangeKind::improved);
  CHECK(rows[2].kind == FindingKind::io_bound);
  CHECK(rows[2].before->score == 0.10);
  CHECK(rows[2].word == ChangeKind::worse);
  CHECK(diff_findings(before, before)[0].word == ChangeKind::no_change);
}

TEST_CASE("A rule's outcome decides, then its share of violations") {
  const auto word = [](const Result& before, const Result& after) {
    return diff_rules(before, after).front().word;
  };
  CHECK(word(rule("no_issue", 5), rule("issue_found", 5)) == ChangeKind::worse);
  CHECK(word(rule("issue_found", 5), rule("no_issue", 5)) == ChangeKind::improved);
  CHECK(word(rule("no_issue", 5), rule("no_issue", 50)) == ChangeKind::no_change);
  CHECK(word(rule("issue_found", 5), rule("issue_found", 50)) == ChangeKind::worse);
  CHECK(word(rule("not_evaluated", 0), rule("issue_found", 50)) == ChangeKind::incomparable);
  CHECK(word(rule("no_issue", 0), Result{}) == ChangeKind::incomparable);
}

TEST_CASE("Operators are compared by self time per call, what is little is left out of account") {
  const Result before = operators({op("conv", 100, 10, 60), op("add", 50, 10, 39.6),
                                   op("tiny", 1, 10, 0.4), op("old", 1, 1, 0)});
  const Result after = operators({op("conv", 300, 20, 60), op("add", 54, 10, 39.6),
                                  op("tiny", 9, 10, 0.4), op("new", 1, 1, 0)});
  const auto workload = diff_workload(before, after);
  REQUIRE(workload.size() == 1);
  CHECK_FALSE(workload[0].per_step);
  CHECK_FALSE(workload[0].is_cut);
  const auto& rows = workload[0].rows;
  REQUIRE(rows.size() == 5);
  CHECK(rows[0].name == "conv");
  CHECK(rows[0].word == ChangeKind::worse);
  CHECK(rows[0].difference == 5); // 10 to 15 µs per call
  CHECK(rows[0].relative == 0.5);
  CHECK(rows[1].name == "tiny"); // 8 µs in all against 4: sorted by what the change costs
  CHECK(rows[1].word == ChangeKind::no_change);
  CHECK(rows[1].reason == "less than 0.5% of all");
  CHECK(rows[2].name == "add");
  CHECK(rows[2].reason == "within 10%");
  CHECK(rows[3].word == ChangeKind::incomparable);
  CHECK(rows[3].reason + rows[4].reason == "only beforeonly after");
}

TEST_CASE("Kernels are compared by time per profiled step") {
  const auto traced = [](double steps, double us) {
    return from_document(
        {{"traces",
          {{"processes", {{{"steps", steps}}}},
           {"kernels",
            {{"names", 2},
             {"rows", {{{"name", "k"}, {"total_us", us}, {"calls", 4}, {"percent", 90}}}}}}}}});
  };
  const auto workload = diff_workload(traced(2, 100), traced(4, 240));
  REQUIRE(workload.size() == 1);
  CHECK(workload[0].id == "kernels");
  CHECK(workload[0].per_step);
  CHECK(workload[0].is_cut);
  CHECK(workload[0].rows[0].before->each_us == 50);
  CHECK(workload[0].rows[0].after->each_us == 60);
  CHECK(workload[0].rows[0].word == ChangeKind::worse);
}

TEST_CASE("Time per step decides, and where it is the same the rest does") {
  CHECK(outcome(paced(10, 90), paced(20, 90)).word == ChangeKind::worse);
  const Outcome faster = outcome(paced(20, 90), paced(10, 40));
  CHECK(faster.word == ChangeKind::improved);
  CHECK(faster.decided_by == std::vector<std::string>{"job.seconds_per_step"});
  CHECK(faster.largest == "gpu.p50"); // 0.56 of 90 against 0.5 of 0.2 s
  CHECK(outcome(paced(10, 90), paced(10, 40)).word == ChangeKind::worse);
  CHECK(outcome(paced(10, 90), paced(10, 90)).word == ChangeKind::no_change);
}

TEST_CASE("Of a job of traces alone, profiled steps decide, or nothing does") {
  const auto traced = [](std::vector<double> steps, double gpu) -> json {
    return {{"steps",
             {{{"mode", "PROFILED"},
               {"count", steps.size()},
               {"p50", steps[0]},
               {"block_medians", steps}}}},
            {"system_usage", {{{"node", "a"}, {"metric", "GPU"}, {"p50", gpu}}}}};
  };
  const std::vector<double> fast = {1, 1.1, 0.9, 1, 1.2, 1};
  const std::vector<double> slow = {2, 2.1, 1.9, 2, 2.2, 2};
  const Outcome slower = outcome(traced(fast, 50), traced(slow, 90));
  CHECK(slower.word == ChangeKind::worse);
  CHECK(slower.decided_by == std::vector<std::string>{"steps.profiled.p50"});
  CHECK(outcome(traced(fast, 50), traced(fast, 90)).word == ChangeKind::improved);
  CHECK(outcome(traced({1, 1}, 50), traced({2, 2}, 90)).word == ChangeKind::incomparable);
}

TEST_CASE("Figures and verdicts that disagree are neither better nor worse") {
  CHECK(outcome(gpu(50), gpu(90)).word == ChangeKind::improved);
  CHECK(outcome(gpu(50), gpu(90, "critical")).word == ChangeKind::changed);
  CHECK(outcome(gpu(50), gpu(50, "critical")).decided_by == std::vector<std::string>{"verdict"});
  CHECK(outcome(json::object(), json::object()).word == ChangeKind::incomparable);
}

TEST_CASE("The distance of two values is symmetric, and 1 from and to 0") {
  CHECK(distance(0, 0) == 0);
  CHECK(distance(0, 5) == 1);
  CHECK(distance(5, 0) == 1);
  CHECK(distance(1, 4) == 0.75);
  CHECK(distance(4, 1) == 0.75);
  CHECK(distance(-1, 1) == 1);
}

TEST_CASE("Figures that one job has are listed with it") {
  const Diff diff = make_diff(from_document(gpu(50)), from_document(paced(10, 50)));
  CHECK(diff.only_before.empty());
  REQUIRE_FALSE(diff.only_after.empty());
  CHECK(find_change(diff, "gpu.p50") != nullptr);
  CHECK(find_change(diff, "job.seconds_per_step") == nullptr);
}

TEST_CASE("A histogram whose counts are none is not known") {
  const auto document = [](double count) {
    const json histogram = {{"edges", {0.1, 0.2, 0.3}}, {"counts", {7, count}}};
    return from_document(
        {{"steps", {{{"mode", "TRAIN"}, {"p50", 0.1}, {"histogram", histogram}}}}});
  };
  const auto counts = [&](double count) {
    return step_shapes(document(count), document(3)).at(0).before.counts;
  };
  CHECK(counts(5) == std::vector<std::int64_t>{7, 5});
  CHECK(counts(1e300).empty());
  CHECK(counts(-1).empty());
}

} // namespace test_diff
