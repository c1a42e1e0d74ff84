#include "util/workers.h"

#include "util/spare.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <new>
#include <system_error>
#include <thread>
#include <utility>

namespace debrief {

namespace {

class Workers {
public:
  void run(SharedLoop& loop) {
    {
      const std::lock_guard lock{mutex_};
      loop.next = loops_;
      loops_ = &loop;
      start(loop.wanted);
    }
    if (loop.wanted == 1)
      work_.notify_one();
    else
      work_.notify_all();
    loop.run(loop.context);
    std::unique_lock lock{mutex_};
    close(loop);
    done_.wait(lock, [&] { return loop.helping == 0; });
  }

private:
  /// Threads that the system refuses mean fewer threads.
  void start(std::size_t wanted) {
    const std::size_t most = std::max(1U, std::thread::hardware_concurrency()) - 1;
    try {
      for (std::size_t idle = idle_; idle < wanted && started_ < most; ++idle) {
        std::thread{[this] { serve(); }}.detach();
        ++started_;
      }
    } catch (const std::system_error&) {
    } catch (const std::bad_alloc&) {
    }
  }

  [[noreturn]] void serve() {
    std::unique_lock lock{mutex_};
    for (bool has_spares = false;;) {
      if (SharedLoop* const loop = open_loop()) {
        help(*loop, lock);
        has_spares = true;
      } else if (std::exchange(has_spares, false)) {
        lock.unlock();
        drop_spares();
        lock.lock();
      } else {
        ++idle_;
        work_.wait(lock);
        --idle_;
      }
    }
  }

  void help(SharedLoop& loop, std::unique_lock<std::mutex>& lock) {
    --loop.wanted;
    ++loop.helping;
    lock.unlock();
    loop.run(loop.context);
    lock.lock();
    close(loop); // whoever comes back has found no piece left
    if (--loop.helping == 0) done_.notify_all();
  }

  SharedLoop* open_loop() const {
    SharedLoop* loop = loops_;
    while (loop != nullptr && loop->wanted == 0)
      loop = loop->next;
    return loop;
  }

  void close(SharedLoop& loop) {
    for (SharedLoop** at = &loops_; *at != nullptr; at = &(*at)->next)
      if (*at == &loop) {
        *at = loop.next;
        return;
      }
  }

  std::mutex mutex_;
  std::condition_variable work_; ///< a loop is open
  std::condition_variable done_; ///< a loop's last helper has left it
  SharedLoop* loops_ = nullptr;  ///< that have pieces left, the latest first
  std::size_t started_ = 0;
  std::size_t idle_ = 0;
};

} // namespace

void run_shared(SharedLoop& loop) {
  // Never destroyed: its threads wait in it until the program has ended.
  static Workers& workers = *new Workers;
  workers.run(loop);
}

} // namespace debrief
