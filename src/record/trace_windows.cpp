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

/// libkineto asks this often, and what is decided at one question is told to the last at its next.
constexpr std::chrono::seconds kAsksEvery{5};
/// For clocks, and for counts that are a second old.
constexpr std::chrono::seconds kMargin{2};
/// Who has not asked for so long has ended.
constexpr std::chrono::seconds kGone{15};
/// Steps of the last seconds may have been slower than those to come.
constexpr double kPaceMargin = 1.5;
/// Without counts: a job has begun its loop by then, if anything.
constexpr std::chrono::seconds kFirstWithoutSteps{20};
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
  if (name == "after" && number)
    windows.after = *number;
  else if (name == "steps" && number && *number > 0)
    windows.steps = *number;
  else if (const auto every = window_interval(value); name == "every" && every)
    windows.every = *every;
  else
    return false;
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

/// A process's first count says nothing of its pace: it may have started long before it stepped.
void WindowPlan::note_steps(Process& process, std::int64_t steps, Clock::time_point now) const {
  const double past = std::chrono::duration<double>(now - process.last).count();
  if (process.steps > 0 && steps > process.steps && past > 0)
    process.rate = static_cast<double>(steps - process.steps) / past;
  process.steps = std::max(process.steps, steps);
}

/// torchrun imports PyTorch, and asks, but trains in its children.
bool WindowPlan::is_launcher(std::int32_t pid) const {
  return std::any_of(processes_.begin(), processes_.end(), [&](const auto& entry) {
    const auto& ancestors = entry.second.ancestors;
    return std::find(ancestors.begin(), ancestors.end(), pid) != ancestors.end();
  });
}

/// Whether others may have to record the same steps.
bool WindowPlan::has_peers(Clock::time_point now) const {
  return std::count_if(processes_.begin(), processes_.end(), [&](const auto& entry) {
           return now - entry.second.last < kGone && !is_launcher(entry.first);
         }) > 1;
}

bool WindowPlan::is_due(const Process& process, bool counted, Clock::time_point now) const {
  // Alone, a process may begin at once; with others, one whose pace is known decides for all.
  if (counted && process.rate == 0 && has_peers(now)) return false;
  if (number_ > 0) return windows_.every.count() > 0 && now - decided_ >= windows_.every;
  return counted ? process.steps >= windows_.after : now - process.first >= kFirstWithoutSteps;
}

/// Far enough ahead for every process that trains to have asked once more. They train in step, so
/// the fastest pace is that of all.
void WindowPlan::decide(bool counted, Clock::time_point now) {
  ++number_;
  decided_ = now;
  iteration_.reset();
  begins_ = now + kAsksEvery + kMargin;
  if (!counted) return;
  double rate = 0;
  for (const auto& [pid, process] : processes_)
    if (now - process.last < kGone) rate = std::max(rate, process.rate);
  const double ahead =
      std::chrono::duration<double>(has_peers(now) ? kAsksEvery + kMargin : kMargin).count();
  std::int64_t first = windows_.after;
  for (const auto& [pid, process] : processes_) {
    if (now - process.last >= kGone) continue;
    const double since = std::chrono::duration<double>(now - process.last).count();
    const double more = std::ceil(kPaceMargin * rate * (since + ahead));
    first = std::max(first, process.steps + static_cast<std::int64_t>(std::min(more, 1e9)) + 2);
  }
  iteration_ = first;
}

std::optional<WindowPlan::Window> WindowPlan::ask(const std::vector<std::int32_t>& pids,
                                                  std::optional<std::int64_t> steps, bool counted,
                                                  Clock::time_point now) {
  if (pids.empty()) return std::nullopt;
  const std::int32_t pid = pids.front();
  if (processes_.size() >= kMostProcesses && !processes_.contains(pid)) return std::nullopt;
  const auto [entry, is_new] = processes_.try_emplace(pid);
  Process& process = entry->second;
  if (is_new) {
    process.first = process.last = now;
    process.ancestors.assign(pids.begin() + 1, pids.end());
  }
  if (steps) note_steps(process, *steps, now);
  process.last = now;
  most_steps_ = std::max(most_steps_, process.steps);
  if (counted ? process.steps == 0 : is_launcher(pid)) return std::nullopt;
  // A window that is long decided has begun without those that were not there.
  const bool open = number_ > 0 && now - decided_ < kAsksEvery + kMargin;
  if (!open && is_due(process, counted, now)) decide(counted, now);
  if (number_ == 0 || process.served == number_ || now - decided_ >= kAsksEvery + kMargin)
    return std::nullopt;
  process.served = number_;
  return Window{number_, iteration_,
                std::chrono::duration_cast<std::chrono::milliseconds>(begins_ - now)};
}

} // namespace debrief::record
