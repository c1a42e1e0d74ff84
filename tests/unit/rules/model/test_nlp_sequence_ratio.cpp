#include "tensor_job.h"

#include <catch2/catch_test_macros.hpp>

namespace test_nlp_sequence_ratio {

using namespace debrief;
using test::fired;
using test::not_evaluated;
using test::Steps;
using test::TensorJob;

TEST_CASE("NLPSequenceRatio counts tokens against their thresholds") {
  TensorJob job;
  job.step(0, {{"embedding0_input_0", {0, 0, 3, 4}, {2, 2}}});
  job.step(1, {{"embedding0_input_0", {0, 0, 0, 4}, {2, 2}}});
  CHECK(fired(job, "NLPSequenceRatio") == Steps{1});
  const test::Parameters two = {{"token_values", "3, 0"}, {"token_thresholds_percent", "24.9, 80"}};
  CHECK(fired(job, "NLPSequenceRatio", two) == Steps{0});
  CHECK(not_evaluated(job, "NLPSequenceRatio", {{"token_values", "3, 0"}}));
}

} // namespace test_nlp_sequence_ratio
