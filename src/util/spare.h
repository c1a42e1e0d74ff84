// Memory that a thread is done with and will need again. Fresh pages cost a fault each, and all
// threads of a process wait for each other while it gets and returns them.
#pragma once

#include <utility>
#include <vector>

namespace debrief {

/// What gives back each kind of spare memory that this thread has had.
inline std::vector<void (*)()>& spare_kinds() {
  thread_local std::vector<void (*)()> kinds;
  return kinds;
}

/// What this thread has laid aside of this kind; it is gone when the thread has nothing more to do.
/// Whoever takes it leaves an empty one.
template <typename Memory>
Memory& spare() {
  thread_local Memory kept;
  [[maybe_unused]] thread_local const bool is_listed =
      (spare_kinds().push_back([] { spare<Memory>() = Memory{}; }), true);
  return kept;
}

template <typename Memory>
Memory take_spare() {
  return std::exchange(spare<Memory>(), Memory{});
}

/// Gives back all that this thread has laid aside.
inline void drop_spares() {
  for (void (*const drop)() : spare_kinds())
    drop();
}

} // namespace debrief
