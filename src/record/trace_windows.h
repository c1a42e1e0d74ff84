// When which process records a trace: the first window after some steps, then one every so often,
// at the same iteration on all processes.
//
// Processes ask every five seconds, each at its own moment, so a window is decided once, far enough
// ahead that all have asked before it begins. The clock is the caller's.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace debrief::record {

struct TraceWindows {
  std::int64_t after = 20;         ///< optimizer steps before the first window
  std::int64_t steps = 4;          ///< optimizer steps in a window
  std::chrono::seconds every{600}; ///< from one window to the next; 0: one window only
};

/// "after=20,steps=4,every=10min": what is left out stays as it is by default. Throws Error.
TraceWindows parse_trace_windows(std::string_view text);

class WindowPlan {
public:
  using Clock = std::chrono::steady_clock;

  struct Window {
    std::int64_t number = 0; ///< counts from 1
    /// The optimizer step at which it begins; nothing where steps are not counted, and the window
    /// begins at a moment.
    std::optional<std::int64_t> iteration;
    std::chrono::milliseconds delay{}; ///< from now to that moment
  };

  explicit WindowPlan(const TraceWindows& windows)
      : windows_(windows) {}

  /// A process asks; `pids` is its own number, then its ancestors'. `steps`: how often its
  /// optimizers have stepped, nothing where it does not say. `counted`: whether processes that
  /// train say so. Returns the window that it shall record, each process each window once.
  std::optional<Window> ask(const std::vector<std::int32_t>& pids,
                            std::optional<std::int64_t> steps, bool counted, Clock::time_point now);

  std::int64_t windows() const { return number_; } ///< decided so far

  std::size_t processes() const { return processes_.size(); }

  /// The most steps that a process has said.
  std::int64_t most_steps() const { return most_steps_; }

private:
  struct Process {
    Clock::time_point first;
    Clock::time_point last;
    std::vector<std::int32_t> ancestors;
    std::int64_t steps = 0;
    double rate = 0;         ///< steps per second; 0: not known yet
    std::int64_t served = 0; ///< the last window that it was told of
  };

  void note_steps(Process& process, std::int64_t steps, Clock::time_point now) const;
  bool is_launcher(std::int32_t pid) const;
  bool has_peers(Clock::time_point now) const;
  bool is_due(const Process& process, bool counted, Clock::time_point now) const;
  void decide(bool counted, Clock::time_point now);

  TraceWindows windows_;
  std::map<std::int32_t, Process> processes_;
  std::int64_t number_ = 0;
  std::int64_t most_steps_ = 0;
  Clock::time_point decided_;
  std::optional<std::int64_t> iteration_; ///< of the last window
  Clock::time_point begins_;              ///< of the last window, where it has no iteration
};

} // namespace debrief::record
