#include "record/trace_windows.h"

#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

namespace debrief::record {

namespace {

/// Who has not asked for so long has ended; libkineto asks every 5 s.
constexpr std::chrono::seconds kGone{15};
/// Slow steps: the first window comes so long after the first one.
constexpr std::chrono::seconds kFirstAfter{15};
/// A process that does not get ready does not keep the others from recording.
constexpr std::chrono::seconds kReadyWithin{10};
/// Counts are up to 1 s old when they are read, and what is decided is read within another one.
constexpr double kAhead = 2.5;
/// Steps of the last seconds may have been slower than those to come.
constexpr double kPaceMargin = 1.5;
constexpr std::int64_t kMostSteps = 1'000'000'000;
/// What no job has; more are not told of windows.
constexpr std::size_t kMostProcesses = 4096;

std::optional<std::int64_t> window_number(std::string_view text) {
  std::int64_t number = 0;
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, number);
  if (error != std::errc{} || end != last || number < 0 || number > kMostSteps) return std::nullopt;
  return number;
}

std::optional<std::chrono::seconds> window_interval(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, std::int64_t>, 4> kUnits = {
      {{"min", 60}, {"h", 3600}, {"s", 1}, {"", 1}}};
  for (const auto& [unit, factor] : kUnits) {
    if (!text.ends_with(unit)) continue;
    const auto number = window_number(text.substr(0, text.size() - unit.size()));
    if (!number) return std::nullopt;
    return std::chrono::seconds{*number * factor};
  }
  return std::nullopt;
}

bool set_part(std::string_view name, std::string_view value, TraceWindows& windows) {
  const auto number = window_number(value);
  if (name == "after" && number) {
    windows.after = *number;
    windows.also_by_time = false;
  } else if (name == "steps" && number && *number > 0) {
    windows.steps = *number;
  } else if (const auto every = window_interval(value); name == "every" && every) {
    windows.every = *every;
  } else {
    return false;
  }
  return true;
}

} // namespace

TraceWindows parse_trace_windows(std::string_view text) {
  TraceWindows windows;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::size_t end = std::min(rest.find(','), rest.size());
    const std::string_view part = rest.substr(0, end);
    const std::size_t equals = std::min(part.find('='), part.size());
    if (!set_part(part.substr(0, equals), part.substr(std::min(equals + 1, part.size())), windows))
      throw Error(fmt::format("--trace: cannot use '{}' (try after=20,steps=4,every=10min)",
                              printable(part)));
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return windows;
}

void WindowPlan::hear(const std::vector<std::int32_t>& pids, Clock::time_point now) {
  if (pids.empty()) return;
  if (processes_.size() >= kMostProcesses && !processes_.contains(pids.front())) return;
  Process& process = processes_[pids.front()];
  process.asked = now;
  process.ancestors.assign(pids.begin() + 1, pids.end());
}

std::optional<std::int64_t> WindowPlan::ask(const std::vector<std::int32_t>& pids, bool busy,
                                            Clock::time_point now) {
  hear(pids, now);
  const auto found = pids.empty() ? processes_.end() : processes_.find(pids.front());
  if (found == processes_.end()) return std::nullopt;
  Process& process = found->second;
  // Before its first step libkineto would not keep what it is told. Later it may miss an answer,
  // and ignores one that it has had.
  if (busy || process.steps == 0) return std::nullopt;
  if (number_ > 0 && windows_.every.count() == 0) return std::nullopt;
  process.ready = number_ + 1;
  return process.ready;
}

/// A process's first count says nothing of its pace: it may have started long before it stepped.
void WindowPlan::note_steps(std::int32_t pid, std::int64_t steps, Clock::time_point now) {
  const auto found = processes_.find(pid);
  if (found == processes_.end() || steps <= found->second.steps) return;
  Process& process = found->second;
  const double past = std::chrono::duration<double>(now - process.counted).count();
  if (process.steps == 0)
    process.stepped = now;
  else if (past > 0)
    process.rate = static_cast<double>(steps - process.steps) / past;
  process.steps = steps;
  process.counted = now;
  most_steps_ = std::max(most_steps_, steps);
}

std::vector<std::int32_t> WindowPlan::processes(Clock::time_point now) const {
  std::vector<std::int32_t> found;
  for (const auto& [pid, process] : processes_)
    if (now - process.asked < kGone) found.push_back(pid);
  return found;
}

/// torchrun imports PyTorch, and asks, but trains in its children.
bool WindowPlan::is_launcher(std::int32_t pid) const {
  return std::any_of(processes_.begin(), processes_.end(), [&](const auto& entry) {
    const auto& ancestors = entry.second.ancestors;
    return entry.second.steps > 0 &&
           std::find(ancestors.begin(), ancestors.end(), pid) != ancestors.end();
  });
}

std::vector<const WindowPlan::Process*> WindowPlan::training(Clock::time_point now) const {
  std::vector<const Process*> found;
  for (const auto& [pid, process] : processes_)
    if (process.steps > 0 && now - process.asked < kGone && !is_launcher(pid))
      found.push_back(&process);
  return found;
}

bool WindowPlan::is_due(const std::vector<const Process*>& trainers, Clock::time_point now) const {
  if (number_ > 0) return windows_.every.count() > 0 && now - decided_ >= windows_.every;
  return std::any_of(trainers.begin(), trainers.end(), [&](const Process* process) {
    return process->steps >= windows_.after ||
           (windows_.also_by_time && now - process->stepped >= kFirstAfter);
  });
}

/// Far enough ahead for every process to have read it before. They train in step, so the fastest
/// pace is that of all.
std::optional<WindowPlan::Window> WindowPlan::decide(Clock::time_point now) {
  const std::vector<const Process*> trainers = training(now);
  if (!is_due(trainers, now)) return std::nullopt;
  if (!due_) due_ = now;
  const auto ready = std::count_if(trainers.begin(), trainers.end(), [&](const Process* process) {
    return process->ready > number_ && (trainers.size() == 1 || process->rate > 0);
  });
  const bool all = ready == static_cast<std::ptrdiff_t>(trainers.size());
  if (ready == 0 || (!all && now - *due_ < kReadyWithin)) return std::nullopt;
  Window window{++number_, 0};
  decided_ = now;
  due_.reset();
  if (trainers.size() == 1) return window;
  double rate = 0;
  for (const Process* process : trainers)
    rate = std::max(rate, process->rate);
  for (const Process* process : trainers) {
    const double since = std::chrono::duration<double>(now - process->counted).count();
    const double more = std::ceil(kPaceMargin * rate * (since + kAhead));
    window.iteration = std::max(
        window.iteration, process->steps + static_cast<std::int64_t>(std::min(more, 1e9)) + 2);
  }
  return window;
}

} // namespace debrief::record
