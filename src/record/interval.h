// How often samples are taken.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace debrief::record {

inline constexpr std::chrono::milliseconds kLeastInterval{100};
inline constexpr std::chrono::milliseconds kMostInterval{60'000};

/// "200ms", "0.5s", "1min"; a number alone is milliseconds, as in SageMaker. Nothing for anything
/// else; the bounds are the caller's to check.
std::optional<std::chrono::milliseconds> parse_interval(std::string_view text);

} // namespace debrief::record
