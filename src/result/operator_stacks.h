// Which operators are inside of which, over all their calls: for the page's icicle.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace debrief::result {

/// Calls of one name at one place of the nesting, in all processes.
struct OperatorStack {
  std::string name;
  std::int32_t parent = -1; ///< in the list, before this one; -1: outermost
  std::int32_t depth = 0;
  double us = 0; ///< GPU time of what it and those inside launched; CPU time where there is no GPU
  std::int64_t calls = 0;
};

inline constexpr std::int32_t kMaxStackDepth = 8;
inline constexpr std::size_t kMaxStacks = 200;

} // namespace debrief::result
