// Memory that runs out is one sentence and an exit code, wherever it happens.
//
// An allocation that fails throws std::bad_alloc. While that unwinds, destructors may need memory
// themselves (those of nlohmann::json do), and what they throw ends the program. So a reserve is
// given back first, and where even that is not enough, what ends the program still says why.
#pragma once

namespace debrief {

/// The sentence, for where it cannot be put together any more.
inline constexpr const char* kOutOfMemory =
    "not enough memory for this job; run it on a larger machine";

/// From here on. Temporary files (pending_file.h) are removed too.
void prepare_for_out_of_memory();

/// Takes the reserve again, where the work goes on after a failure.
void renew_memory_reserve();

} // namespace debrief
