#include "aggregate/trace/categories.h"
#include "aggregate/trace/critical_path.h"
#include "aggregate/trace/figures.h"
#include "util/keep_longest.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace debrief::aggregate {

namespace {

/// A step of one of the traces.
struct Choice {
  const TraceIndex* trace = nullptr;
  TraceStep step;
};

/// Steps with a number, shortest first. Those without one are whole traces.
std::vector<Choice> numbered_steps(std::span<const TraceIndex> traces) {
  std::vector<Choice> out;
  for (const TraceIndex& trace : traces)
    for (const TraceStep& step : trace.steps)
      if (step.number) out.push_back({&trace, step});
  std::stable_sort(out.begin(), out.end(), [](const Choice& a, const Choice& b) {
    return a.step.length() < b.step.length();
  });
  return out;
}

/// Whether the page can show it: annotations and waits as a stream sees them are no work.
bool is_shown(job::SliceKind kind) {
  return static_cast<std::size_t>(kind) < std::size(result::kSliceKinds);
}

class Builder {
public:
  Builder(const Choice& choice, std::size_t most)
      : index_(*choice.trace)
      , trace_(choice.trace->trace)
      , step_(choice.step)
      , most_(most)
      , end_(choice.step.host_end) {}

  /// `path`: slices that are on it are marked.
  result::StepView build(std::string which, const StepPath& path) {
    for (const PathSegment& segment : path.segments)
      if (segment.slice != StepGraph::kNone) critical_.push_back(segment.slice);
    std::sort(critical_.begin(), critical_.end());
    view_.which = std::move(which);
    view_.process = trace_.process;
    view_.number = step_.number;
    view_.us = in_microseconds(step_.length());
    if (!step_.number) cut();
    choose();
    view_.dropped = static_cast<std::int64_t>(
        keep_longest(chosen_, most_, [&](std::int32_t at) { return slice(at).duration; }));
    add_tracks();
    add_slices();
    view_.host_us = in_microseconds(step_.host_end - step_.host_start);
    view_.shown_us = in_microseconds(end_ - step_.host_start);
    return std::move(view_);
  }

private:
  const job::Slice& slice(std::int32_t at) const {
    return trace_.slices[static_cast<std::size_t>(at)];
  }

  /// What is no step can be of any length: it is shown up to where there are enough slices.
  void cut() {
    std::vector<Nanoseconds> starts;
    for (const job::Slice& one : trace_.slices)
      if (is_shown(one.kind)) starts.push_back(one.start);
    if (starts.size() <= most_ || most_ == 0) return;
    const auto first_after = starts.begin() + static_cast<std::ptrdiff_t>(most_);
    std::nth_element(starts.begin(), first_after, starts.end());
    end_ = std::max(*first_after, step_.host_start + Nanoseconds{1});
    view_.after_view = std::count_if(starts.begin(), starts.end(),
                                     [&](Nanoseconds start) { return start >= end_; });
  }

  /// Within the step on the host, or started on a GPU by a call within it. GPU work of other steps
  /// that runs meanwhile is shown, too: it is why this one's has to wait.
  bool belongs(std::int32_t at) const {
    const job::Slice& one = slice(at);
    const Nanoseconds end = step_.number ? step_.host_end : end_;
    if (one.start < end && std::max(one.end(), one.start + Nanoseconds{1}) > step_.host_start)
      return true;
    if (!step_.number || !job::is_gpu_work(one.kind)) return false;
    const std::int32_t launch = index_.launch[static_cast<std::size_t>(at)];
    return launch != TraceIndex::kNone && slice(launch).start >= step_.host_start &&
           slice(launch).start < end;
  }

  void choose() {
    for (std::size_t i = 0; i < trace_.slices.size(); ++i) {
      const auto at = static_cast<std::int32_t>(i);
      if (!is_shown(slice(at).kind) || !belongs(at)) continue;
      chosen_.push_back(at);
      if (step_.number && job::is_gpu_work(slice(at).kind)) end_ = std::max(end_, slice(at).end());
      if (slice(at).kind == job::SliceKind::annotation && slice(at).start == step_.host_start &&
          slice(at).end() == step_.host_end)
        main_ = slice(at).track;
    }
  }

  /// Threads, the one of the step first, then streams; only those with slices.
  void add_tracks() {
    std::vector<std::int32_t> used;
    for (const std::int32_t at : chosen_)
      if (used.empty() || used.back() != slice(at).track) used.push_back(slice(at).track);
    const auto key = [&](std::int32_t number) {
      const job::TraceTrack& track = trace_.tracks[static_cast<std::size_t>(number)];
      return std::tuple{track.gpu, number != main_, track.process, track.id, number};
    };
    std::sort(used.begin(), used.end(),
              [&](std::int32_t a, std::int32_t b) { return key(a) < key(b); });
    place_.assign(trace_.tracks.size(), 0);
    for (const std::int32_t number : used) {
      const job::TraceTrack& track = trace_.tracks[static_cast<std::size_t>(number)];
      place_[static_cast<std::size_t>(number)] = static_cast<std::int32_t>(view_.tracks.size());
      view_.tracks.push_back({track.gpu ? fmt::format("GPU {} stream {}", track.process, track.id)
                              : track.name.empty() ? fmt::format("thread {}", track.id)
                                                   : track.name,
                              track.gpu, 0});
    }
    std::stable_sort(chosen_.begin(), chosen_.end(), [&](std::int32_t a, std::int32_t b) {
      return place_[static_cast<std::size_t>(slice(a).track)] <
             place_[static_cast<std::size_t>(slice(b).track)];
    });
  }

  void add_slices() {
    std::unordered_map<std::int32_t, std::int32_t> numbers; // of slices, in the view
    std::unordered_map<job::StringTable::Id, std::int32_t> names;
    SliceCategories categories{index_};
    std::vector<Nanoseconds> ends; // of the last slice of each level of the current track
    std::int32_t track = -1;
    view_.slices.reserve(chosen_.size());
    for (const std::int32_t at : chosen_) {
      const job::Slice& one = slice(at);
      const std::int32_t place = place_[static_cast<std::size_t>(one.track)];
      if (place != track) ends.clear();
      track = place;
      // Below everything that has not ended, so that what overlaps without nesting is seen too.
      while (!ends.empty() && ends.back() <= one.start)
        ends.pop_back();
      const auto depth = static_cast<std::int32_t>(ends.size());
      ends.push_back(one.end());
      const auto [name, is_new] =
          names.emplace(one.name, static_cast<std::int32_t>(view_.names.size()));
      if (is_new) view_.names.emplace_back(trace_.names[one.name]);
      if (one.kind == job::SliceKind::runtime)
        numbers.emplace(at, static_cast<std::int32_t>(view_.slices.size()));
      view_.slices.push_back({(one.start - step_.host_start).count(), one.duration.count(),
                              name->second, place, depth, -1, static_cast<std::int32_t>(one.kind),
                              std::binary_search(critical_.begin(), critical_.end(), at),
                              categories.of(at)});
      auto& levels = view_.tracks[static_cast<std::size_t>(place)].depth;
      levels = std::max(levels, depth + 1);
    }
    // Calls can lie on tracks after that of what they started.
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const auto launch = numbers.find(index_.launch[static_cast<std::size_t>(chosen_[i])]);
      if (launch != numbers.end()) view_.slices[i].launch = launch->second;
    }
  }

  const TraceIndex& index_;
  const job::Trace& trace_;
  TraceStep step_;
  std::size_t most_;
  Nanoseconds end_; ///< of what is shown
  std::int32_t main_ = -1;
  std::vector<std::int32_t> chosen_;   ///< slices of the trace
  std::vector<std::int32_t> critical_; ///< of the trace, by number
  std::vector<std::int32_t> place_;    ///< of the trace's tracks, in the view
  result::StepView view_;
};

/// Steps that have no view yet, by number, as many as there is room for. A look at a step goes
/// through all of its trace, so a huge one has none.
std::vector<std::size_t> other_steps(const std::vector<Choice>& steps,
                                     const std::vector<std::size_t>& chosen) {
  constexpr std::size_t kHugeTrace = 5'000'000;
  std::vector<std::size_t> out;
  for (std::size_t at = 0; at < steps.size(); ++at)
    if (std::find(chosen.begin(), chosen.end(), at) == chosen.end() && steps[at].step.number &&
        steps[at].trace->trace.slices.size() <= kHugeTrace)
      out.push_back(at);
  const auto key = [&](std::size_t at) {
    return std::tuple{*steps[at].step.number, steps[at].trace};
  };
  std::sort(out.begin(), out.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  out.resize(std::min(out.size(), kMaxStepViews - std::min(kMaxStepViews, chosen.size())));
  return out;
}

} // namespace

StepViews step_views(std::span<const TraceIndex> traces, std::size_t most_slices) {
  std::vector<Choice> steps = numbered_steps(traces);
  const auto without = std::find_if(traces.begin(), traces.end(),
                                    [](const TraceIndex& trace) { return !trace.steps.empty(); });
  if (steps.empty() && without != traces.end())
    steps.push_back({&*without, without->steps.front()});
  StepViews out;
  std::vector<std::size_t> chosen;
  const auto add = [&](const char* which, std::size_t at) {
    const Choice& choice = steps[at];
    chosen.push_back(at);
    // What is no step may be all of a trace of any size.
    const bool small = choice.step.number || choice.trace->trace.slices.size() <= most_slices;
    const bool named = std::string_view{which} != "step";
    const StepPath path = small && named ? critical_path(*choice.trace, choice.step) : StepPath{};
    if (!path.segments.empty())
      out.paths.push_back(path_figures(*choice.trace, choice.step, path, which));
    out.views.push_back(Builder{choice, most_slices}.build(which, path));
  };
  if (steps.size() == 1) {
    add("only", 0);
  } else if (!steps.empty()) {
    add("slowest", steps.size() - 1);
    if (steps.size() > 2) add("median", (steps.size() - 1) / 2);
    add("fastest", 0);
  }
  for (const std::size_t at : other_steps(steps, chosen))
    add("step", at);
  return out;
}

} // namespace debrief::aggregate
