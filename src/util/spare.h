// Memory that a thread is done with and will need again. Fresh pages cost a fault each, and all
// threads of a process wait for each other while it gets and returns them.
#pragma once

#include <utility>

namespace debrief {

/// What this thread has laid aside of this kind; it is gone when the thread ends. Whoever takes it
/// leaves an empty one.
template <typename Memory>
Memory& spare() {
  thread_local Memory kept;
  return kept;
}

template <typename Memory>
Memory take_spare() {
  return std::exchange(spare<Memory>(), Memory{});
}

} // namespace debrief
