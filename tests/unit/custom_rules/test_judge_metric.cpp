#include "custom_rules/judged.h"

namespace test_judge_metric {

using namespace debrief;

namespace {

job::Job job() {
  job::Job job;
  test::add(job, {"gpu", "gpu0", "GPUUtilization"}, test::flat(100, 40));
  return job;
}

} // namespace

TEST_CASE("a metric of the whole job is compared once") {
  const result::RuleRow row = test::judged(job(), "gpu.p50 < 40.1");
  CHECK(row.status == result::RuleStatus::issue_found);
  CHECK(row.triggered == 1);
  CHECK(row.reason == "GPU utilization, median is 40% (less than 40.1%)");
  CHECK_FALSE(test::triggers(job(), "gpu.p50 < 40"));
  CHECK(test::judged(job(), "gpu.p50 < 40").reason ==
        "GPU utilization, median is 40% (not less than 40%)");
}

TEST_CASE("a metric that the job does not have is not judged") {
  CHECK(test::unjudged(job(), "cpu.p50 > 5") ==
        "the job has no metric cpu.p50; record what it needs");
  CHECK(test::unjudged(job(), "scalar.loss.last > 5").starts_with("the job has no metric"));
}

TEST_CASE("custom rules do not count among the rules that triggered") {
  CHECK_FALSE(test::triggers(job(), "rules.triggered > 0"));
}

} // namespace test_judge_metric
