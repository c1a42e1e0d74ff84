#include "gate/demands.h"
#include "gate/message.h"

#include <catch2/catch_approx.hpp>
#include <catch2/catch_test_macros.hpp>

namespace test_tolerance {

using namespace debrief;
using namespace debrief::gate;
using compare::Better;

namespace {

const compare::Figure kStep{"steps.train.p50", "TRAIN step", "s", Better::lower, 0.1, {}, true};
const compare::Figure kGpu{"gpu.p50", "GPU", "%", Better::higher, 90, {}, false};
const compare::Figure kIdleGpu{"gpu.p50", "GPU", "%", Better::higher, 2, {}, false};

std::string refusal(const std::string& text) {
  return test::message_of([&] {
    Tolerances tolerances;
    tolerances.set(text, "--tolerance " + text);
  });
}

} // namespace

TEST_CASE("without a word, 5 % holds, and a point of percentages") {
  const Tolerances tolerances;
  CHECK(tolerances.of(kStep).relative == 0.05);
  CHECK(tolerances.of(kStep).absolute == 0);
  CHECK(tolerances.of(kGpu).absolute == 1);
  const compare::Figure lost{"waste.lost_percent", "Lost", "%", Better::lower, 20, {}, false};
  CHECK(tolerances.of(lost).absolute == 5);
  CHECK(tolerances.text_of(kStep) == "5%");
  CHECK(tolerances.text_of(kGpu) == "5%");
  CHECK(tolerances.text_of(kIdleGpu) == "1 percentage point");
}

TEST_CASE("a general tolerance is a share of any figure, one's own is what it says") {
  Tolerances tolerances;
  tolerances.set("10%", "");
  tolerances.set("steps.train.p50=2ms", "");
  CHECK(tolerances.of(kGpu).relative == Catch::Approx(0.1));
  CHECK(tolerances.of(kStep).relative == 0);
  CHECK(tolerances.of(kStep).absolute == Catch::Approx(0.002));
  CHECK(tolerances.text_of(kStep) == "2 ms");
  tolerances.set(" gpu.p50 = 3pp", "");
  CHECK(tolerances.of(kGpu).absolute == 3);
  CHECK(tolerances.text_of(kGpu) == "3 percentage points");
  tolerances.set("gpu.p50=0%", ""); // the last word holds, without a floor
  CHECK(tolerances.of(kGpu).relative == 0);
  CHECK(tolerances.of(kGpu).absolute == 0);
  CHECK(tolerances.figures().size() == 2);
}

TEST_CASE("what not a tolerance is refused") {
  CHECK(refusal("x") == "--tolerance x: not a tolerance; write 5%, or for one metric also 2ms");
  CHECK(refusal("-5%").find("not a tolerance") != std::string::npos);
  CHECK(refusal("5").find("must be a share") != std::string::npos);
  CHECK(refusal("2ms").find("must be a share") != std::string::npos);
  CHECK(refusal("gpu.p5=3%").find("unknown metric 'gpu.p5' (did you mean") != std::string::npos);
  Tolerances tolerances;
  tolerances.set("gpu.p50=3s", "");
  CHECK(test::message_of([&] { tolerances.of(kGpu); }) ==
        "tolerance for gpu.p50: 's' is not its unit, which has one of %, pp; or write it as a "
        "share, 5%");
}

} // namespace test_tolerance
