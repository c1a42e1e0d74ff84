#include "aggregate/activity.h"

#include "util/interval_set.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>

namespace debrief::aggregate {

namespace {

using result::ActivityRow;

/// The groups of the table, in its order.
constexpr std::array kGroups = {"phase", "cpu_operator", "gpu_operator", "general", "collective"};

std::size_t group_of(EventKind work) {
  switch (work) {
  case EventKind::step:
    return 0;
  case EventKind::cpu_operator:
    return 1;
  case EventKind::gpu_operator:
    return 2;
  case EventKind::collective:
    return 4;
  default:
    return 3;
  }
}

struct ActivitySum {
  Microseconds inside = 0;
  Microseconds all = 0;
};

/// Operators that are at most this far apart belong to one recording.
constexpr Microseconds kOneRecording = 10 * kSecond;

/// Windows of one name, and when its events were recorded.
struct Subject {
  explicit Subject(Coverage<Microseconds> held)
      : windows(std::move(held)) {}

  Coverage<Microseconds> windows;
  TimeSpan level{0, -1};         ///< where the last event began: the window, or what is between two
  bool in_window = false;        ///< which of them
  std::optional<TimeSpan> whole; ///< first to last event
  std::optional<TimeSpan> loop;  ///< first to last step
  /// Operators are often recorded for a few steps only; the rest of the time says nothing of them.
  GrowingSet<Microseconds> cpu_operators{kOneRecording};
  GrowingSet<Microseconds> gpu_operators{kOneRecording};

  /// How much of a span the windows hold. Most events lie where the one before did: all within a
  /// window, or all between two.
  Microseconds held(const TimeSpan& span) {
    if (span.first >= level.first && span.last <= level.last)
      return in_window ? span.length() : Microseconds{};
    const auto& set = windows.set();
    const auto next = std::upper_bound(
        set.begin(), set.end(), span.first,
        [](Microseconds time, const TimeSpan& window) { return time < window.first; });
    level = {INT64_MIN, next == set.end() ? INT64_MAX : next->first};
    in_window = next != set.begin() && span.first < std::prev(next)->last;
    if (in_window)
      level = *std::prev(next);
    else if (next != set.begin())
      level.first = std::prev(next)->last;
    return windows.within(span);
  }

  void record(EventKind work, const TimeSpan& span) {
    const auto widen = [&](std::optional<TimeSpan>& extent) {
      if (!extent) extent = span;
      extent->include(span.first);
      extent->include(span.last);
    };
    widen(whole);
    if (work == EventKind::step) widen(loop);
    if (work == EventKind::cpu_operator) cpu_operators.add(span);
    if (work == EventKind::gpu_operator) gpu_operators.add(span);
  }

  /// The time in which work of a group would have been seen.
  std::vector<TimeSpan> seen(std::size_t group) const {
    if (group == 1) return cpu_operators.set();
    if (group == 2) return gpu_operators.set();
    const auto& extent = group == 0 ? loop : whole;
    return extent ? std::vector{*extent} : std::vector<TimeSpan>{};
  }
};

/// Steps and general work go by their phase, operators and collectives by their name.
bool goes_by_phase(std::size_t group) {
  return group == 0 || group == 3;
}

class Tally {
public:
  Tally(const job::EventTable& events, const ActivityWindows& windows, ActivityScope scope)
      : events_(events)
      , subject_of_timeline_(events.timelines.size(), nullptr) {
    for (const auto& [name, spans] : windows)
      subjects_.emplace(name, Subject{Coverage<Microseconds>{merged(spans)}});
    for (std::size_t i = 0; i < events.timelines.size(); ++i) {
      const job::Timeline& timeline = events.timelines[i];
      // The few steps of a trace say nothing of the time outside them.
      if (!timeline.clock_known || timeline.kind == job::TimelineKind::pytorch_profiler) continue;
      const auto found =
          subjects_.find(scope == ActivityScope::node ? timeline.node : process_name(timeline));
      if (found != subjects_.end()) subject_of_timeline_[i] = &found->second;
    }
  }

  void add(std::size_t row, EventKind work) {
    const auto track = static_cast<std::size_t>(events_.track[row]);
    Subject* subject =
        subject_of_timeline_[static_cast<std::size_t>(events_.tracks[track].timeline)];
    if (subject == nullptr) return;
    const Microseconds start = events_.start[row];
    const TimeSpan span{start, start + events_.duration[row]};
    const std::size_t group = group_of(work);
    subject->record(work, span);
    std::vector<ActivitySum>& sums = sums_[group];
    if (sums.empty())
      sums.resize(goes_by_phase(group) ? events_.phases.size() : events_.names.size());
    const std::int32_t id = (goes_by_phase(group) ? events_.phase : events_.name)[row];
    ActivitySum& sum = sums[static_cast<std::size_t>(id)];
    sum.inside += subject->held(span);
    sum.all += span.length();
  }

  const std::map<std::string, Subject>& subjects() const { return subjects_; }

  /// By the id of the phase or the name.
  const std::vector<ActivitySum>& sums(std::size_t group) const { return sums_[group]; }

private:
  const job::EventTable& events_;
  std::map<std::string, Subject> subjects_;
  std::vector<Subject*> subject_of_timeline_;
  std::array<std::vector<ActivitySum>, kGroups.size()> sums_;
};

/// The time outside steps, as a phase of its own.
ActivitySum between_steps(const Tally& tally, std::span<const StepSeries> steps,
                          ActivityScope scope) {
  std::map<std::string_view, std::vector<TimeSpan>> by_name;
  for (const StepSeries& series : steps)
    if (series.mode != result::kProfiledMode)
      for (const Step& step : series.steps)
        if (step.clock_known)
          by_name[scope == ActivityScope::node ? series.node : series.process].push_back(step.span);
  ActivitySum sum;
  for (const auto& [name, subject] : tally.subjects()) {
    const auto spans = by_name.find(name);
    if (spans == by_name.end()) continue;
    const Coverage<Microseconds> in_steps{merged(std::move(spans->second))};
    const TimeSpan loop{in_steps.set().front().first, in_steps.set().back().last};
    sum.all += loop.length() - in_steps.length();
    sum.inside += subject.windows.within(loop);
    for (const TimeSpan& step : in_steps.set())
      sum.inside -= subject.windows.within(step);
  }
  return sum;
}

double share(Microseconds part, Microseconds whole) {
  return 100 * static_cast<double>(part) / static_cast<double>(whole);
}

/// How much of what was recorded lies in the windows, and how much does not.
struct Extent {
  Microseconds inside = 0;
  Microseconds outside = 0;

  void add(const std::vector<TimeSpan>& recorded, const Coverage<Microseconds>& windows) {
    for (const TimeSpan& span : recorded) {
      const Microseconds held = windows.within(span);
      inside += held;
      outside += span.length() - held;
    }
  }
};

} // namespace

result::Activity activity(const job::EventTable& events, const EventKinds& kinds,
                          std::span<const StepSeries> steps, const ActivityWindows& windows,
                          ActivityScope scope) {
  if (std::all_of(windows.begin(), windows.end(),
                  [](const auto& of_subject) { return of_subject.second.empty(); }))
    return {};
  Tally tally{events, windows, scope};
  for (std::size_t row = 0; row < events.size(); ++row)
    tally.add(row, kinds.of(row));

  std::array<Extent, kGroups.size()> extents;
  result::Activity out;
  Extent whole;
  for (const auto& [name, subject] : tally.subjects()) {
    for (std::size_t group = 0; group < kGroups.size(); ++group)
      extents[group].add(subject.seen(group), subject.windows);
    if (subject.whole) whole.add({{*subject.whole}}, subject.windows);
  }
  out.inside_seconds = in_seconds(whole.inside);
  out.outside_seconds = in_seconds(whole.outside);
  if (out.inside_seconds <= 0) return {};
  std::array<std::vector<ActivityRow>, kGroups.size()> groups;
  const auto add_row = [&](std::size_t group, std::string_view name, const ActivitySum& sum) {
    const Extent& extent = extents[group];
    const bool is_phase = group == 0; // of these, what did not happen is worth a row too
    if (sum.all <= 0 || (sum.inside <= 0 && !is_phase)) return;
    out.group_seconds[kGroups[group]] += in_seconds(sum.inside);
    groups[group].push_back({kGroups[group], std::string{name}, in_seconds(sum.inside),
                             extent.inside > 0 ? share(sum.inside, extent.inside) : 0,
                             extent.outside > 0
                                 ? std::optional{share(sum.all - sum.inside, extent.outside)}
                                 : std::nullopt});
  };
  for (std::size_t group = 0; group < kGroups.size(); ++group) {
    const job::StringTable& texts = goes_by_phase(group) ? events.phases : events.names;
    const std::vector<ActivitySum>& sums = tally.sums(group);
    for (std::size_t id = 0; id < sums.size(); ++id)
      add_row(group, texts[static_cast<job::StringTable::Id>(id)], sums[id]);
  }
  add_row(0, "others", between_steps(tally, steps, scope));
  for (auto& rows : groups) {
    std::stable_sort(rows.begin(), rows.end(), [](const ActivityRow& a, const ActivityRow& b) {
      return a.inside_seconds > b.inside_seconds;
    });
    if (rows.size() > result::kMaxActivities) rows.resize(result::kMaxActivities);
    std::move(rows.begin(), rows.end(), std::back_inserter(out.rows));
  }
  return out;
}

} // namespace debrief::aggregate
