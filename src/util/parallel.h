// Runs independent pieces of work on all cores.
//
// The order in which pieces run is not defined; callers write each outcome into its own slot, so
// that the whole does not depend on it. The first exception stops the hand-out of further pieces
// and is rethrown.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace debrief {

/// Calls `work(i)` for every i in [0, count), on up to one thread per core.
template <typename Work>
void parallel_for(std::size_t count, const Work& work) {
  const std::size_t cores = std::max<std::size_t>(1, std::thread::hardware_concurrency());
  const std::size_t threads = std::min(cores, count);
  if (threads <= 1) {
    for (std::size_t i = 0; i < count; ++i)
      work(i);
    return;
  }
  std::atomic<std::size_t> next{0};
  std::exception_ptr failure;
  std::mutex failure_mutex;
  const auto run = [&] {
    for (std::size_t i = next++; i < count; i = next++) {
      try {
        work(i);
      } catch (...) {
        const std::lock_guard lock{failure_mutex};
        if (!failure) failure = std::current_exception();
        next = count;
      }
    }
  };
  {
    std::vector<std::jthread> pool;
    for (std::size_t i = 1; i < threads; ++i)
      pool.emplace_back(run);
    run();
  }
  if (failure) std::rethrow_exception(failure);
}

} // namespace debrief
