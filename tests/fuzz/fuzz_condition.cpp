// The condition of a custom rule, and what it says of a job that has samples and scalars.
#include "custom_rules/judge.h"
#include "expect.h"
#include "rules/rule_support.h"
#include "util/error.h"

#include <cmath>
#include <cstdint>

using namespace debrief;

namespace {

/// What conditions can be about, with values that are NaN and times at which only some devices have
/// samples.
job::Job example_job() {
  job::Job out;
  test::add(out, {"gpu", "gpu0", "GPUUtilization"}, test::cycle(200, {0, 30, 100, 5}));
  test::add(out, {"cpu", "cpu0", "CPUUtilization"}, test::flat(50, 99), 10);
  test::add(out, {"gpu", "gpu0", "GPUPowerWatts"}, test::flat(50, 300));
  job::ScalarSeries& loss = out.scalars.emplace_back();
  loss.name = "train/loss";
  loss.steps = {0, 10, 20, 30};
  loss.values = {1, std::nan(""), 3, HUGE_VAL};
  return out;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const job::Job example = example_job();
  static const aggregate::EventKinds kinds{example.events};
  static const std::vector<aggregate::NodeSeries> series = aggregate::node_series(example);
  static const result::Result result = test::analyzed(example);
  custom_rules::Condition condition;
  try {
    condition = custom_rules::parse_condition({reinterpret_cast<const char*>(data), size}, "when");
  } catch (const Error&) {
    return 0; // a wrong condition is one sentence
  }
  const result::RuleRow row =
      custom_rules::judge(condition, {example, kinds, {}, series, result, nullptr, nullptr});
  const bool silent = row.status == result::RuleStatus::not_evaluated;
  fuzz::expect(!silent || (!row.reason.empty() && row.triggered == 0), "says why");
  fuzz::expect(row.violations <= row.datapoints, "no more violations than samples");
  fuzz::expect((row.triggered > 0) == (row.status == result::RuleStatus::issue_found), "status");
  return 0;
}
