// Why a GPU did not work at a moment. Each lost GPU-second has exactly one cause: the first that
// holds, in the order below, so that causes come before symptoms and costs never overlap.
#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace debrief::findings {

enum class Cause {
  idle_gpu,      ///< this GPU was never used
  start,         ///< before the training loop
  finish,        ///< after it
  io,            ///< the node's cores waited for storage
  cpu,           ///< the node's cores were saturated
  input,         ///< the process waited for its next batch
  stall,         ///< a step took much longer than its like
  between,       ///< outside of steps, and not for data
  communication, ///< a collective that no compute hides
  imbalance,     ///< this GPU had less to do than the busiest one
  unexplained,   ///< none of these
};

inline constexpr std::size_t kCauses = 11;

constexpr std::size_t index_of(Cause cause) {
  return static_cast<std::size_t>(cause);
}

/// Seconds by cause.
using SecondsByCause = std::array<double, kCauses>;

} // namespace debrief::findings
