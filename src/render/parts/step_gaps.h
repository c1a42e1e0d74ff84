// When no GPU of a step's process had anything to do, and what its CPU did meanwhile.
#pragma once

#include "result/trace.h"

#include <cstdint>
#include <string>
#include <vector>

namespace debrief::render {

struct StepGap {
  std::int64_t from_ns = 0; ///< after the step's start
  std::int64_t to_ns = 0;
  /// "aten::item, in cudaStreamSynchronize"; what took most of it on the step's thread.
  std::string meanwhile;

  std::int64_t length() const { return to_ns - from_ns; }
};

/// Of the step's length; shorter ones are no gaps to speak of.
inline constexpr double kLeastGap = 0.01;

/// By time. Empty for a step without GPU work. assets/src/steps/gaps.ts finds the same.
std::vector<StepGap> gpu_gaps(const result::StepView& view);

} // namespace debrief::render
