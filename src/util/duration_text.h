// Durations as a person writes them on the command line or in a config file.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace debrief {

/// "200ms", "0.5s", "10min", "2h"; a number alone is milliseconds, as in SageMaker. Nothing for
/// anything else; the bounds are the caller's to check.
std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);

} // namespace debrief
