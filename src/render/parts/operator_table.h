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
    "Start with self time: it shows where the time goes. An operator with high total and low self "
    "time only calls others. Many short calls mean overhead; a few long ones mean real work.";
inline constexpr const char* kOperatorsComputed =
    "Events are nested by thread; self time leaves out nested operators, total time includes them. "
    "Shares of self time sum to 100%. In traces, GPU work belongs to the innermost operator around "
    "its launch. Precision and tensor-core use come from the kernel's name.";

} // namespace debrief::render
