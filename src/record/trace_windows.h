// When which process records a trace: the first window after some steps, then one every so often,
// at the same iteration on all processes.
//
// libkineto asks every five seconds and is told at once to be ready for the next window. The shim
// in the process begins it (shim/debrief_windows.py), at the iteration that is decided here once
// all processes are ready. The clock is the caller's.
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
  /// After 15 s of slow steps as well: where nobody said after how many.
  bool also_by_time = true;
};

/// "after=20,steps=4,every=10min": what is left out stays as it is by default. Throws Error.
TraceWindows parse_trace_windows(std::string_view text);

class WindowPlan {
public:
  using Clock = std::chrono::steady_clock;

  struct Window {
    std::int64_t number = 0; ///< counts from 1
    /// The optimizer step at which it begins; 0: the next one, for a process without others.
    std::int64_t iteration = 0;
  };

  explicit WindowPlan(const TraceWindows& windows)
      : windows_(windows) {}

  /// A process's libkineto has asked; `pids` as in ask().
  void hear(const std::vector<std::int32_t>& pids, Clock::time_point now);

  /// A process's libkineto asks, or would if it was not busy; `pids` is the process's number, then
  /// its ancestors'. Returns the window that it shall be ready for.
  std::optional<std::int64_t> ask(const std::vector<std::int32_t>& pids, bool busy,
                                  Clock::time_point now);

  /// How often the optimizers of a process that was heard have stepped.
  void note_steps(std::int32_t pid, std::int64_t steps, Clock::time_point now);

  /// A window, where one is due and can begin.
  std::optional<Window> decide(Clock::time_point now);

  /// Processes that have asked and are not known to have ended.
  std::vector<std::int32_t> processes(Clock::time_point now) const;

  std::int64_t windows() const { return number_; } ///< decided so far

  bool was_asked() const { return !processes_.empty(); }

  /// The most steps that a process has said.
  std::int64_t most_steps() const { return most_steps_; }

private:
  struct Process {
    Clock::time_point asked;   ///< the last time
    Clock::time_point stepped; ///< when its first step was heard of
    Clock::time_point counted; ///< when its count last changed
    std::vector<std::int32_t> ancestors;
    std::int64_t steps = 0;
    double rate = 0;        ///< steps per second; 0: not known yet
    std::int64_t ready = 0; ///< the last window that it was told to be ready for
  };

  bool is_launcher(std::int32_t pid) const;
  std::vector<const Process*> training(Clock::time_point now) const;
  bool is_due(const std::vector<const Process*>& trainers, Clock::time_point now) const;

  TraceWindows windows_;
  std::map<std::int32_t, Process> processes_;
  std::int64_t number_ = 0;
  std::int64_t most_steps_ = 0;
  Clock::time_point decided_;
  std::optional<Clock::time_point> due_; ///< since when a window has waited for processes
};

} // namespace debrief::record
