// The names of enumerations, spelled once beside each: what documents, options and pages write for
// a value, and what they are read from.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace debrief::result {

/// By value, from 0 on without holes; every enumeration that has names specializes it.
template <typename Enum>
inline constexpr auto kNames = nullptr;

template <typename Enum>
concept Named = requires {
  kNames<Enum>.size();
};

template <Named Enum>
constexpr const char* to_text(Enum value) {
  return kNames<Enum>[static_cast<std::size_t>(value)];
}

/// Nothing where no value has this name.
template <Named Enum>
constexpr std::optional<Enum> from_text(std::string_view name) {
  for (std::size_t at = 0; at < kNames<Enum>.size(); ++at)
    if (name == kNames<Enum>[at]) return static_cast<Enum>(at);
  return std::nullopt;
}

} // namespace debrief::result
