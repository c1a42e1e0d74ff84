// How findings word numbers: short enough for a sentence, and the same everywhere.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace debrief::findings::words {

/// 0.123 -> "12%", 0.0123 -> "1.2%".
std::string percent(double share);

/// "6.3", "12": how many times.
std::string times(double factor);

/// "Training could run up to 6.3 times faster."; a factor that no measurement backs (kMaxGain) only
/// as "more than …". Larger batches make no step faster: `per_sample` says what they do.
std::string gain(double factor, bool per_sample = false);

/// 1921, "step" -> "1,921 steps".
std::string counted(std::int64_t count, const char* noun);

/// Sentences as one text.
std::string joined(const std::vector<std::string>& sentences);

/// "algo-1 gpu0" of names as recorded, fit for a sentence; either may be empty.
std::string place(const std::string& node, const std::string& device);

} // namespace debrief::findings::words
