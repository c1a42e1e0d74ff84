// Traces as libkineto leaves them, made ready: compressed, and with the rank and world size that
// on-demand traces lack, where every reader of PyTorch traces looks for them ("distributedInfo").
#pragma once

#include "record/process_rank.h"

#include <filesystem>

namespace debrief::record {

/// Whether the file is a trace that was written to its end.
bool is_whole_trace(const std::filesystem::path& trace);

/// Replaces the trace with "<trace>.gz". Returns false, and leaves it as it was, where that fails:
/// the disk is full, or there is no trace.
bool pack_trace(const std::filesystem::path& trace, const ProcessRank& rank);

} // namespace debrief::record
