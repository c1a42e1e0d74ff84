// Names that are a word and a number: "algo-7", "gpu3".
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace debrief {

/// 7 for "algo-7" behind "algo-"; nothing for a name that is made otherwise.
inline std::optional<std::int64_t> number_after_prefix(std::string_view word,
                                                       std::string_view name) {
  if (!name.starts_with(word)) return std::nullopt;
  name.remove_prefix(word.size());
  std::uint32_t number = 0; // takes no sign
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc{} || end != name.data() + name.size()) return std::nullopt;
  return number;
}

} // namespace debrief
