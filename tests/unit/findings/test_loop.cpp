#include "finding_support.h"

namespace test_loop {

using namespace debrief;
using namespace debrief::test;

namespace {

findings::Loop loop_of(const job::Job& job) {
  return findings::find_loop(analyzed(job), aggregate::node_series(job));
}

} // namespace

TEST_CASE("steps tell when the loop ran") {
  job::Job job;
  add(job, gpu(0), flat(kSamples, 90));
  job.events = test::steps({{"TRAIN", 30, 1}, {"EVAL", 100, 2}});
  const findings::Loop loop = loop_of(job);
  CHECK(loop.span == TimeSpan{at(30), at(102)});
  CHECK(loop.start_known);
  CHECK(loop.end_known);
  CHECK(loop.found);
}

TEST_CASE("without steps the loop is from the first work of a GPU that goes on to the last") {
  std::vector<double> use = flat(kSamples, 0);
  use[10] = 60; // touched once, while a library is loaded
  for (std::size_t i = 101; i <= 301; ++i)
    use[i] = 5;
  use[395] = 60;
  job::Job job;
  add(job, gpu(0), use);
  const findings::Loop loop = loop_of(job);
  CHECK(loop.span == TimeSpan{at(50.5), at(150.5)});
  CHECK_FALSE(loop.start_known);
  CHECK_FALSE(loop.end_known);
  CHECK(loop.found);
}

TEST_CASE("many nodes that are touched once at the same time do not make a loop") {
  job::Job job;
  for (const std::string node : {"algo-1", "algo-2", "algo-3", "algo-4"}) {
    std::vector<double> use = flat(200, 0) + flat(201, 90);
    use[10] = 60;
    add(job, node, gpu(0), use);
  }
  CHECK(loop_of(job).span == TimeSpan{at(100), at(200)});
}

TEST_CASE("the node that begins first and the one that ends last bound the loop") {
  job::Job job;
  add(job, "algo-1", gpu(0), flat(100, 0) + flat(201, 90) + flat(100, 0));
  add(job, "algo-2", gpu(0), flat(200, 0) + flat(151, 90) + flat(50, 0));
  CHECK(loop_of(job).span == TimeSpan{at(50), at(175)});
}

TEST_CASE("touches that are all alone are the best there is") {
  std::vector<double> use = flat(kSamples, 0);
  use[100] = 60;
  use[300] = 60;
  job::Job job;
  add(job, gpu(0), use);
  CHECK(loop_of(job).span == TimeSpan{at(50), at(150)});
}

TEST_CASE("a GPU below 5 % does not work, and then the job is all there is") {
  job::Job job;
  add(job, gpu(0), flat(kSamples, 4.9));
  const findings::Loop loop = loop_of(job);
  CHECK_FALSE(loop.found);
  CHECK(loop.span == TimeSpan{at(0), at(200)});
  CHECK_FALSE(findings::find_loop(result::Result{}, {}).found);
}

TEST_CASE("a loop lies within its job, whatever steps say") {
  result::Result result = bare_result(10, 20);
  result.job.training_loop_start = at(0);
  result.job.training_loop_end = at(100);
  CHECK(findings::find_loop(result, {}).span == TimeSpan{at(10), at(20)});
  result.job.training_loop_start = at(19);
  result.job.training_loop_end = at(12);
  CHECK(findings::find_loop(result, {}).span == TimeSpan{at(19), at(19)});
}

} // namespace test_loop
