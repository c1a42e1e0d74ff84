// The program's threads: started when a loop first wants them, kept until the program ends, lent to
// any loop that has pieces left. Starting and ending fifteen threads costs half a millisecond, and
// a report has a hundred loops.
#pragma once

#include <cstddef>

namespace debrief {

/// A loop whose pieces are handed out until none is left: `run(context)`, on any number of threads
/// at once, returns when it finds none, and throws nothing.
struct SharedLoop {
  void (*run)(const void* context) = nullptr;
  const void* context = nullptr;
  std::size_t wanted = 0;  ///< threads that may still come to help
  std::size_t helping = 0; ///< threads that are at it, without the caller
  SharedLoop* next = nullptr;
};

/// Runs a loop on this thread and on up to `loop.wanted` others: those that are idle, and those
/// that become so before it ends. Loops within loops are helped first. Returns when no thread is at
/// it any more.
void run_shared(SharedLoop& loop);

} // namespace debrief
