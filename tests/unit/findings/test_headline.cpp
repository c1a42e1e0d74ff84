#include "finding_support.h"

namespace test_headline {

using namespace debrief;
using namespace debrief::test;

TEST_CASE("the headline has the iteration, the step and how busy the GPU was in the loop") {
  // Steps of 0.78 s, one a second, 200 seconds long.
  const result::Headline headline = analyzed(paced(0.22, "DataLoaderIter")).headline;
  REQUIRE(headline.iteration);
  CHECK_FALSE(headline.iteration->profiled);
  CHECK_THAT(headline.iteration->mean, WithinAbs(1, 0.01));
  CHECK_THAT(headline.iteration->p50.value_or(0), WithinAbs(1, 1e-6));
  REQUIRE(headline.step);
  CHECK_THAT(headline.step->p50, WithinAbs(0.78, 1e-6));
  CHECK_THAT(headline.busy_in_loop.value_or(0), WithinAbs(78, 0.5));
  CHECK_FALSE(headline.gpu_memory);
  CHECK_FALSE(headline.cores_busy);
}

TEST_CASE("memory is a peak, and cores are counted") {
  job::Job job = paced(0.22, "DataLoaderIter");
  std::vector<double> memory = flat(kSamples, 30);
  memory[100] = 40;
  add(job, test::gpu_memory(0), memory);
  add_cores(job, 16, flat(kSamples, 25));
  const result::Headline headline = analyzed(job).headline;
  REQUIRE(headline.gpu_memory);
  CHECK_THAT(headline.gpu_memory->percent.value_or(0), WithinAbs(40, 1e-6));
  CHECK_FALSE(headline.gpu_memory->bytes); // the GPU's size is not known
  CHECK(headline.cores == 16);
  CHECK_THAT(headline.cores_busy.value_or(0), WithinAbs(4, 1e-6));
}

TEST_CASE("without steps, startup is how long the GPU was idle at first, if it was seen idle") {
  const auto startup = [](std::size_t idle) {
    std::vector<double> use = flat(kSamples, 90);
    std::fill_n(use.begin(), idle, 0);
    job::Job job;
    add(job, gpu(0), use);
    return analyzed(job).headline.startup;
  };
  CHECK_THAT(startup(40).value_or(0), WithinAbs(20, kClose)); // a sample every half second
  CHECK_FALSE(startup(0));
}

TEST_CASE("nothing is known of an empty job") {
  const result::Headline headline = analyzed(job::Job{}).headline;
  CHECK_FALSE(headline.busy_in_loop);
  CHECK_FALSE(headline.iteration);
  CHECK_FALSE(headline.step);
  CHECK_FALSE(headline.startup);
}

} // namespace test_headline
