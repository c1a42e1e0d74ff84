// Runs independent pieces of work on all cores.
//
// The order in which pieces run is not defined; callers write each outcome into its own slot, so
// that the whole does not depend on it. The first exception stops the hand-out of further pieces
// and is rethrown. Threads that the system refuses mean fewer threads.
#pragma once

#include "util/workers.h"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <new>
#include <optional>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

namespace debrief {

inline std::atomic<std::size_t> core_sharers{0};

/// Held by each of several large pieces of work that run side by side (whole jobs): while there are
/// more than one, each uses its share of the cores only. The last one left has all of them.
class CoreShare {
public:
  CoreShare() { ++core_sharers; }

  ~CoreShare() { --core_sharers; }

  CoreShare(const CoreShare&) = delete;
  CoreShare& operator=(const CoreShare&) = delete;
};

/// How many threads a piece of work may use; at least one.
inline std::size_t usable_cores() {
  const std::size_t cores = std::thread::hardware_concurrency();
  return std::max<std::size_t>(1, cores / std::max<std::size_t>(1, core_sharers));
}

/// Starts one more thread, unless the system refuses it for want of memory or by a limit.
template <typename Work>
bool start_thread(std::vector<std::jthread>& pool, const Work& work) {
  try {
    pool.emplace_back(work);
    return true;
  } catch (const std::system_error&) {
    return false;
  } catch (const std::bad_alloc&) {
    return false;
  }
}

/// Calls `work(i)` for every i in [0, count), on up to one thread per usable core. Loops may be
/// within loops.
template <typename Work>
void parallel_for(std::size_t count, const Work& work) {
  const std::size_t threads = std::min(usable_cores(), count);
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
  using Run = decltype(run);
  SharedLoop loop{[](const void* context) { (*static_cast<const Run*>(context))(); }, &run,
                  threads - 1};
  run_shared(loop);
  if (failure) std::rethrow_exception(failure);
}

/// Makes `make(begin, end)` for pieces of [0, count), on all cores. Gives what was made, in order.
/// The pieces are the same on any number of cores.
template <typename Make>
auto parallel_pieces(std::size_t count, const Make& make) {
  constexpr std::size_t kPiece = 32'768;
  std::vector<decltype(make(std::size_t{}, std::size_t{}))> out((count + kPiece - 1) / kPiece);
  parallel_for(out.size(), [&](std::size_t piece) {
    out[piece] = make(piece * kPiece, std::min(count, (piece + 1) * kPiece));
  });
  return out;
}

/// Gives `make(one)` of every one, in order; made on all cores.
template <typename All, typename Make>
auto parallel_map(const All& all, const Make& make) {
  std::vector<decltype(make(all.front()))> out(all.size());
  parallel_for(all.size(), [&](std::size_t i) { out[i] = make(all[i]); });
  return out;
}

/// Makes `make(i)` for every i in [0, count) on all cores and hands what was made to `take(made,
/// i)` on this thread, in order. No more than a few are there at a time: each may be large.
template <typename Make, typename Take>
void parallel_in_order(std::size_t count, const Make& make, const Take& take) {
  using Made = decltype(make(std::size_t{}));
  const std::size_t batch = usable_cores();
  std::vector<std::optional<Made>> made(std::min(batch, count));
  for (std::size_t first = 0; first < count; first += batch) {
    const std::size_t size = std::min(batch, count - first);
    parallel_for(size, [&](std::size_t i) { made[i].emplace(make(first + i)); });
    for (std::size_t i = 0; i < size; ++i) {
      take(std::move(*made[i]), first + i);
      made[i].reset();
    }
  }
}

} // namespace debrief
