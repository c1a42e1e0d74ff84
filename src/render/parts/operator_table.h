// What the sections on CPU and on GPU operators share: what framework timelines or SageMaker's
// files say of operators.
#pragma once

#include "render/parts/section.h"
#include "result/result.h"

#include <string>
#include <string_view>

namespace debrief::render {

/// `kind`: "CPU" or "GPU".
void add_recorded_operators(Section& section, const result::Result& result,
                            const result::OperatorTable& operators, std::string_view kind);

/// How to record what is missing.
std::string no_operators(std::string_view kind);

inline constexpr const char* kReadOperators =
    "Start with self time: it says where the time goes. An operator with much total and little "
    "self time only calls others. Many short calls point to overhead; few long ones to real work.";
inline constexpr const char* kOperatorsComputed =
    "Events of the timeline are nested by thread; self time is an operator's time without those "
    "inside of it. Total time counts nested operators several times, as SageMaker does. Shares of "
    "self time sum to 100%. In traces, GPU work belongs to the innermost operator around its "
    "launch; whether a kernel uses tensor cores, and its precision, is told by its name.";

} // namespace debrief::render
