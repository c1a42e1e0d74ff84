#include "finding_support.h"
#include "findings/words.h"
#include "result/batch_size.h"

namespace test_words {

using namespace debrief;
using namespace debrief::test;

namespace {

std::optional<std::int64_t> batch(const std::string& name, const std::string& value) {
  result::JobSummary job;
  job.hyperparameters[name] = value;
  const auto size = result::batch_size(job);
  return size ? std::optional{size->value} : std::nullopt;
}

} // namespace

TEST_CASE("shares are percents, with a decimal where they are small") {
  CHECK(findings::words::percent(0) == "0%");
  CHECK(findings::words::percent(0.0123) == "1.2%");
  CHECK(findings::words::percent(0.0994) == "9.9%");
  CHECK(findings::words::percent(0.0996) == "10%");
  CHECK(findings::words::percent(0.123) == "12%");
  CHECK(findings::words::percent(1) == "100%");
}

TEST_CASE("a gain beyond what was ever measured is not promised as a number") {
  CHECK(findings::words::gain(6.34) == "Training could run up to 6.3 times faster.");
  CHECK(findings::words::gain(20) == "Training could run up to 20 times faster.");
  CHECK(findings::words::gain(2, true) == "Training could process samples up to 2.0 times faster.");
  CHECK(findings::words::gain(500) == "Training could run more than 20 times faster.");
}

TEST_CASE("counts have separators and the right number") {
  CHECK(findings::words::counted(0, "step") == "0 steps");
  CHECK(findings::words::counted(1, "step") == "1 step");
  CHECK(findings::words::counted(999, "step") == "999 steps");
  CHECK(findings::words::counted(1921, "step") == "1,921 steps");
  CHECK(findings::words::counted(1234567, "step") == "1,234,567 steps");
}

TEST_CASE("places are named by what is known of them, and are one line") {
  CHECK(findings::words::place("algo-1", "gpu0") == "algo-1 gpu0");
  CHECK(findings::words::place("algo-1", "") == "algo-1");
  CHECK(findings::words::place("", "gpu0") == "gpu0");
  CHECK(findings::words::place("a\nb", "g\x7f") == "a\\nb g\\u{007f}");
}

TEST_CASE("a batch size has many names") {
  for (const std::string name :
       {"batch_size", "batch-size", "BatchSize", "bs", "batch", "per_device_train_batch_size",
        "mini_batch_size", "TRAIN.BATCH_SIZE"})
    CHECK(batch(name, "32") == 32);
  CHECK(batch("batch_size", "\"64\"") == 64); // as SageMaker quotes it
}

TEST_CASE("names that mean something else are no batch size") {
  for (const std::string name : {"eval_batch_size", "test-batch-size", "validation_batch_size",
                                 "batch_norm", "batches", "batch_size_limit", "epochs", ""})
    CHECK_FALSE(batch(name, "32"));
}

TEST_CASE("values that are no count are no batch size") {
  for (const std::string value :
       {"", "\"", "\"\"", "0", "-8", "8.5", "8 ", "auto", "0x20", "1e3", "null",
        "99999999999999999999", "9223372036854775807", "1000000001", "<script>"})
    CHECK_FALSE(batch("batch_size", value));
  CHECK(batch("batch_size", "1000000000") == 1'000'000'000);
}

TEST_CASE("of several batch sizes the first that is one counts") {
  result::JobSummary job;
  job.hyperparameters = {{"a_batch_size", "auto"}, {"b_batch_size", "16"}, {"c_batch_size", "32"}};
  const auto size = result::batch_size(job);
  REQUIRE(size);
  CHECK(size->name == "b_batch_size");
  CHECK(size->value == 16);
}

TEST_CASE("training steps are those of the process that is slowest") {
  result::Result result;
  CHECK(findings::training_steps(result) == nullptr);
  const auto row = [](const std::string& mode, std::int64_t count) {
    result::StepRow steps;
    steps.mode = mode;
    steps.count = count;
    steps.p50 = static_cast<double>(count);
    return steps;
  };
  result.steps = {row("EVAL", 900), row("TRAIN", 10), row("TRAIN", 20), row("PROFILED", 800)};
  CHECK(findings::training_steps(result)->count == 20);
  result.steps = {row("EVAL", 5), row("EVAL", 9)};
  CHECK(findings::training_steps(result)->count == 9);
}

TEST_CASE("cores at work are those of a cause's own samples") {
  job::Job job;
  add(job, gpu(0), dip(14));
  add_cores(job, 4, dip(14, 95, 0));
  const result::Result result = analyzed(job);
  const std::vector<aggregate::NodeSeries> series = aggregate::node_series(job);
  const findings::Loop loop = findings::find_loop(result, series);
  const findings::Ledger ledger = findings::make_ledger(result, series, loop, {});
  const findings::DiagnosisContext ctx{result, series, ledger, loop, {}};
  const auto use = findings::host_use(ctx, findings::Cause::cpu);
  REQUIRE(use);
  CHECK_THAT(use->working, WithinAbs(3.8, kClose));
  CHECK(use->cores == 4);
  CHECK_FALSE(findings::host_use(ctx, findings::Cause::io));
}

} // namespace test_words
