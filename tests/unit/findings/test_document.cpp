#include "findings/thresholds.h"
#include "repository.h"
#include "result/findings.h"

#include <catch2/catch_test_macros.hpp>
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace test_document {

using namespace debrief;
using namespace debrief::findings::thresholds;

namespace {

std::string document() {
  std::ifstream file{test::repository() / "docs/findings.md"};
  return {std::istreambuf_iterator<char>{file}, {}};
}

bool has_row(const std::string& text, const std::string& threshold, const std::string& value) {
  const std::size_t row = text.find("| " + threshold + " | ");
  if (row == text.npos) return false;
  const std::size_t end = text.find('\n', row);
  return text.substr(row, end - row).find(value) != std::string::npos;
}

} // namespace

TEST_CASE("every kind of finding is documented") {
  const std::string text = document();
  for (const result::FindingKind kind : result::kFindingKinds)
    CHECK(text.find(fmt::format("\n### {}\n", to_text(kind))) != text.npos);
}

TEST_CASE("the table of causes has every cause with the kinds that are about it") {
  const std::string text = document();
  for (const result::FindingKind kind : result::kFindingKinds) {
    const auto& cause = result::spec_of(kind).cause;
    if (!cause) continue;
    const std::size_t row = text.find(fmt::format("\n| {} | ", result::index_of(*cause)));
    REQUIRE(row != text.npos);
    const std::string line = text.substr(row + 1, text.find('\n', row + 1) - row - 1);
    CHECK(line.find(fmt::format("`{}`", to_text(kind))) != line.npos);
  }
}

TEST_CASE("the document has the thresholds of the program") {
  const std::string text = document();
  const auto percent = [](double share) { return fmt::format("{:.0f} %", 100 * share); };
  CHECK(has_row(text, "a cost is named (info)", percent(kMinReportedShare)));
  CHECK(has_row(text, "warning", percent(kWarning)));
  CHECK(has_row(text, "critical", percent(kCritical)));
  CHECK(has_row(text, "`underutilized`: warning", percent(kUnexplainedWarning)));
  CHECK(has_row(text, "`underutilized`: critical", percent(kUnexplainedCritical)));
  CHECK(has_row(text, "a counter tells why a job failed",
                fmt::format("{:.0f} s", in_seconds(kJustBeforeEnd))));
  CHECK(
      has_row(text, "GPU memory was full when a job failed", fmt::format("{:.0f} %", kFullMemory)));
  CHECK(has_row(text, "memory grew up to a failure",
                fmt::format("by {} of its top in {} samples, no more than {} of that at once, at "
                            "least {} in each half",
                            percent(kClimbLeast), kClimbSamples, percent(kClimbJump),
                            percent(kClimbHalf))));
  CHECK(has_row(text, "a GPU is hardly filled",
                fmt::format("utilization of {:.0f} % or more, SM activity below {:.0f} %",
                            kBusyUtilization, 100 * kHardlyFilled)));
  CHECK(has_row(text, "a trend of a loss", fmt::format("z of {}", kSureTrend)));
  CHECK(has_row(text, "more than noise", fmt::format("{:.0f} standard", kSureNoise)));
  CHECK(has_row(text, "`diverged`: the loss exploded", fmt::format("{:.0f} times", kExploded)));
  CHECK(has_row(
      text, "`loss_not_decreasing`",
      fmt::format("{} values without a decrease of {}", kMinFlatPoints, percent(kMinDescent))));
  CHECK(has_row(text, "`loss_not_decreasing`",
                fmt::format("to hide one of {}", percent(kVisibleDescent))));
  CHECK(has_row(text, "`loss_not_decreasing`: few values",
                fmt::format("{} values without it, and with too little noise to hide one of {}",
                            kFewFlatPoints, percent(kMinDescent))));
  CHECK(has_row(text, "`loss_not_decreasing`: a sure trend",
                fmt::format("a decrease of {} %", 100 * kNoDescent)));
  CHECK(has_row(text, "`loss_not_decreasing`: learned at once",
                fmt::format("below {} of", percent(kLearned))));
  CHECK(has_row(text, "`diverged`: a loss is coming back", percent(kRegained)));
  CHECK(has_row(text, "`diverged`: the model lost what it had learned",
                fmt::format("below {} of its start, and lies above {} times its best again, by {}",
                            percent(kLearned), kFarAbove, percent(kLostMost))));
  CHECK(has_row(text, "an accuracy clearly rises", percent(kMinGained)));
  CHECK(has_row(text, "`overfitting`: few evaluations",
                fmt::format("{} after the best, each worse than the last, {}", kFewAfter,
                            percent(kSteadyRise))));
  CHECK(has_row(
      text, "`overfitting`",
      fmt::format("{} evaluations after the best, {}", kMinEvaluationsAfter, percent(kMinRise))));
  CHECK(has_row(text, "`overtraining`",
                fmt::format("{} evaluations after the best, and {}", kPatientEvaluations,
                            percent(kLongAgo))));
  CHECK(has_row(text, "cores are saturated", fmt::format("{:.0f} %", kSaturatedCpu)));
  CHECK(has_row(text, "a GPU waits", fmt::format("{:.0f} %", kWaitingGpu)));
  CHECK(has_row(text, "cores in I/O wait",
                fmt::format("{} cores, and {} times", kWaitingCores, kWaitAgainstWork)));
  CHECK(has_row(
      text, "a GPU is used",
      fmt::format("{:.0f} % of its samples at {:.0f} %", 100 * kUsedSamples, kUsedPercent)));
  CHECK(has_row(text, "a step stalls",
                fmt::format("{} times the median, and {} s", kStallFactor, in_seconds(kMinStall))));
  CHECK(has_row(text, "a GPU pauses", fmt::format("{:.0f} %", kPausedGpu)));
  CHECK(has_row(text, "a start or finish is slow", fmt::format("{:.0f} s", kMinPhase)));
  CHECK(has_row(text, "GPUs differ", fmt::format("{:.0f} points", 100 * kImbalance)));
  CHECK(has_row(text, "memory grows",
                fmt::format("{:.0f} points over the loop, rising in {:.0f} %", kGrowth,
                            100 * kGrowthSteady)));
  CHECK(has_row(text, "memory is nearly full",
                fmt::format("{:.0f} %, critical at {:.0f} %", kPressure, kPressureCritical)));
  CHECK(has_row(text, "startup counts against a job", fmt::format("{:.0f} s of loop", kLongLoop)));
  CHECK(has_row(text, "enough for a verdict",
                fmt::format("{:.0f} samples, {} steps", kMinSamples, kMinSteps)));
  CHECK(has_row(text, "enough to rule something out",
                fmt::format("{:.0f} samples over {:.0f} s of the loop, or {:.0f} steps",
                            kMinSamples, kMinSeconds, kManySteps)));
  CHECK(has_row(text, "a loss of time calls for action", fmt::format("{:.0f} s", kMinLostSeconds)));
  CHECK(has_row(text, "code outside PyTorch, by stacks alone", percent(kMuchPython)));
  CHECK(has_row(text, "a line of Python is named", percent(kMinLineShare)));
}

} // namespace test_document
