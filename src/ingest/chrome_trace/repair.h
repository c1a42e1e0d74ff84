// Repairs bytes that no JSON parser takes, in place: their number stays, so that offsets stay true.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace debrief::ingest::chrome_trace {

/// How much was repaired, and where first.
struct Repaired {
  std::uint64_t count = 0;
  std::size_t first = 0;
};

/// Replaces each byte that is not part of valid UTF-8 by '?'; counts runs of such bytes.
Repaired repair_utf8(std::span<char> bytes);

/// Replaces control characters, which JSON's texts do not hold, by spaces; counts runs of them
/// inside of texts.
Repaired repair_controls(std::span<char> bytes);

/// `text` is an object that may be cut off anywhere. What is left of it when its last, unfinished
/// member is dropped, with its brackets closed; nothing where it is not an object or has no whole
/// member. `cut` says whether something was missing.
std::string close_object(std::string_view text, bool& cut);

} // namespace debrief::ingest::chrome_trace
