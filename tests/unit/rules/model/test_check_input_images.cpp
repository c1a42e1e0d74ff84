#include "tensor_job.h"

#include <catch2/catch_test_macros.hpp>

namespace test_check_input_images {

using namespace debrief;
using test::fired;
using test::not_evaluated;
using test::Saved;
using test::Steps;
using test::TensorJob;

TEST_CASE("CheckInputImages judges each channel's mean once enough images were seen") {
  // One image of two channels with two pixels each.
  const auto image = [](double first, double second) {
    return Saved{"hybridsequential0_input_0", {first, first, second, second}, {1, 2, 1, 2}};
  };
  TensorJob job;
  job.step(0, {image(0.1, -0.1)}).step(1, {image(0.4, -0.1)}).step(2, {image(-0.3, -0.1)});
  CHECK(fired(job, "CheckInputImages", {{"threshold_samples", "2"}}) == Steps{1});
  CHECK(fired(job, "CheckInputImages", {{"threshold_samples", "2"}, {"threshold_mean", "0.26"}})
            .empty());
  CHECK(not_evaluated(job, "CheckInputImages"));
  CHECK(not_evaluated(TensorJob{}.step(0, {{"x", {1}}}), "CheckInputImages"));
}

} // namespace test_check_input_images
