// What slices of traces and their tracks are called outside of debrief.
#pragma once

#include "job/trace.h"

#include <string>
#include <string_view>

namespace debrief::exports {

/// "operator", "kernel": as the page calls them.
std::string_view kind_word(job::SliceKind kind);

/// The recorder's category, as a JSON string: readers of such traces know it.
std::string_view quoted_category(job::SliceKind kind);

/// "thread 806 (python3)", "GPU 0 stream 7".
std::string track_name(const job::TraceTrack& track);

} // namespace debrief::exports
