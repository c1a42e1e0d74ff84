// What the timeline shows, in a sentence or two.
#pragma once

#include "result/steps.h"
#include "result/timeline.h"

#include <string>

namespace debrief::render {

/// Below this the GPUs of a node count as idle, in percent.
inline constexpr float kIdle = 5;

/// Over what span, and where that time went.
std::string span_sentence(const TimeSpan& span, const result::TimeAccounting& accounting);

/// When GPUs were idle longest; empty where none was sampled.
std::string idle_sentence(const result::Timeline& timeline);

} // namespace debrief::render
