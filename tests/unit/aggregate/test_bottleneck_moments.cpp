#include "aggregate/bottleneck_moments.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

namespace test_bottleneck_moments {

using namespace debrief;
using test::at;
using test::series;

namespace {

/// "0: 1 1" for one low GPU and one busy core at second 0; GPUs are low below 10, cores busy above
/// 90.
std::string moments_of(const job::Job& job) {
  std::string text;
  for (const aggregate::NodeDevices& node : aggregate::devices_by_node(job))
    for (const aggregate::BottleneckSample& moment :
         aggregate::bottleneck_samples(node, node.cores, 10, 90))
      text += (text.empty() ? "" : ", ") + std::to_string((moment.time - at(0)) / 1000) + ": " +
              std::to_string(moment.low_gpus) + " " + std::to_string(moment.high_cores);
  return text;
}

} // namespace

TEST_CASE("samples of a node within 20 ms are of one moment") {
  job::Job job;
  job.metrics.push_back(series("algo-1", test::cpu(0), {0.000, 0.5, 1}, {95, 50, 95}));
  job.metrics.push_back(series("algo-1", test::cpu(1), {0.010, 0.5, 1}, {99, 99, 95}));
  job.metrics.push_back(series("algo-1", test::gpu(0), {0.020, 0.52, 1.021}, {5, 5, 5}));
  CHECK(moments_of(job) == "0: 1 2, 500: 1 1, 1000: 0 2, 1021: 1 0");
}

TEST_CASE("a moment is told from its first sample, not from its last") {
  job::Job job;
  job.metrics.push_back(series("algo-1", test::cpu(0), {0.000}, {95}));
  job.metrics.push_back(series("algo-1", test::cpu(1), {0.015}, {95}));
  job.metrics.push_back(series("algo-1", test::cpu(2), {0.030}, {95}));
  CHECK(moments_of(job) == "0: 0 2, 30: 0 1");
}

TEST_CASE("a moment is one node's") {
  job::Job job;
  job.metrics.push_back(series("algo-1", test::cpu(0), {0}, {95}));
  job.metrics.push_back(series("algo-1", test::gpu(0), {0}, {50}));
  job.metrics.push_back(series("algo-2", test::cpu(0), {0}, {50}));
  job.metrics.push_back(series("algo-2", test::gpu(0), {0}, {5}));
  CHECK(moments_of(job) == "0: 0 1, 0: 1 0"); // a bottleneck if they were mixed
}

TEST_CASE("series that share their times are counted together") {
  job::Job job;
  job.metrics.push_back(series("algo-1", test::cpu(0), {0, 1, 2}, {95, 10, 95}));
  job.metrics.push_back(series("algo-1", test::cpu(1), {0, 1, 2}, {95, 95, 10}));
  job.metrics[1].times = job.metrics[0].times;
  CHECK(moments_of(job) == "0: 0 2, 1000: 0 1, 2000: 0 1");
}

TEST_CASE("a value at the limit is neither low nor busy") {
  job::Job job;
  job.metrics.push_back(series("algo-1", test::cpu(0), {0, 1}, {90, 90.1}));
  job.metrics.push_back(series("algo-1", test::gpu(0), {0, 1}, {10, 9.9}));
  CHECK(moments_of(job) == "0: 0 0, 1000: 1 1");
}

TEST_CASE("a bottleneck needs both a low GPU and a busy core") {
  CHECK_FALSE(aggregate::BottleneckSample{0, 1, 0}.is_bottleneck());
  CHECK_FALSE(aggregate::BottleneckSample{0, 0, 1}.is_bottleneck());
  CHECK(aggregate::BottleneckSample{0, 1, 1}.is_bottleneck());
}

TEST_CASE("a node without series has no moments") {
  CHECK(aggregate::bottleneck_samples({}, {}, 10, 90).empty());
}

} // namespace test_bottleneck_moments
