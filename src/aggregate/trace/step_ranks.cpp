#include "aggregate/trace/categories.h"
#include "aggregate/trace/figures.h"
#include "aggregate/trace/index.h"
#include "util/keep_longest.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_map>

namespace debrief::aggregate {

namespace {

constexpr std::size_t kMaxOtherRanks = 7;
constexpr std::size_t kMaxRankSlices = 400;       ///< of each track
constexpr std::size_t kHugeRankTrace = 5'000'000; ///< slices; more are not looked at
constexpr std::int32_t kRankLevels = 2; ///< of a thread: what calls what is in its own view

/// A process's step, and by how much its clock is ahead.
struct RankStep {
  const TraceIndex* index = nullptr;
  const TraceStep* step = nullptr;
  Nanoseconds ahead{};
};

const TraceStep* step_with(const TraceIndex& index, std::int64_t number) {
  const auto found = std::find_if(index.steps.begin(), index.steps.end(),
                                  [&](const TraceStep& step) { return step.number == number; });
  return found == index.steps.end() ? nullptr : &*found;
}

/// Puts slices of another process on a track of their own, after all that the view has.
class RankTrack {
public:
  RankTrack(result::StepView& view, const TraceIndex& index, Nanoseconds origin)
      : view_(view)
      , index_(index)
      , origin_(origin)
      , categories_(index) {
    for (std::size_t at = 0; at < view.names.size(); ++at)
      names_.emplace(view.names[at], static_cast<std::int32_t>(at));
  }

  /// `chosen` are by start. Those below `levels` levels are left out.
  void add(std::string name, bool gpu, std::vector<std::int32_t> chosen, std::int32_t levels) {
    keep_longest(chosen, kMaxRankSlices,
                 [&](std::int32_t at) { return slice_at(index_, at).duration; });
    const auto track = static_cast<std::int32_t>(view_.tracks.size());
    std::vector<Nanoseconds> ends;
    std::int32_t depths = 0;
    for (const std::int32_t at : chosen) {
      const job::Slice& one = slice_at(index_, at);
      while (!ends.empty() && ends.back() <= one.start)
        ends.pop_back();
      const auto depth = static_cast<std::int32_t>(ends.size());
      if (depth >= levels) continue;
      ends.push_back(one.end());
      const auto [number, is_new] = names_.emplace(std::string{index_.name(at)},
                                                   static_cast<std::int32_t>(view_.names.size()));
      if (is_new) view_.names.emplace_back(index_.name(at));
      view_.slices.push_back({(one.start - origin_).count(), one.duration.count(), number->second,
                              track, depth, -1, static_cast<std::int32_t>(one.kind), false,
                              categories_.of(at)});
      depths = std::max(depths, depth + 1);
    }
    if (depths > 0) view_.tracks.push_back({std::move(name), gpu, depths, index_.trace.process});
  }

private:
  result::StepView& view_;
  const TraceIndex& index_;
  Nanoseconds origin_; ///< the view's 0 on the other process's clock
  SliceCategories categories_;
  std::map<std::string, std::int32_t> names_;
};

/// What can be seen of another process during the view: its step's thread, and its GPUs as one.
void add_rank(result::StepView& view, const RankStep& other, Nanoseconds origin) {
  const job::Trace& trace = other.index->trace;
  const Nanoseconds end = origin + Nanoseconds{static_cast<std::int64_t>(view.shown_us * 1000)};
  std::int32_t thread = -1;
  for (const job::Slice& slice : trace.slices)
    if (slice.kind == job::SliceKind::annotation && slice.start == other.step->host_start &&
        slice.end() == other.step->host_end)
      thread = slice.track;
  std::vector<std::int32_t> on_thread;
  std::vector<std::int32_t> on_gpu;
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    const job::Slice& slice = trace.slices[i];
    if (slice.end() <= origin || slice.start >= end) continue;
    const auto at = static_cast<std::int32_t>(i);
    if (job::is_gpu_work(slice.kind))
      on_gpu.push_back(at);
    else if (slice.track == thread &&
             static_cast<std::size_t>(slice.kind) < std::size(result::kSliceKinds) &&
             !other.index->name(at).starts_with("ProfilerStep#"))
      on_thread.push_back(at);
  }
  const auto by_start = [&](std::int32_t a, std::int32_t b) {
    return trace.slices[static_cast<std::size_t>(a)].start <
           trace.slices[static_cast<std::size_t>(b)].start;
  };
  std::stable_sort(on_gpu.begin(), on_gpu.end(), by_start); // of all streams
  RankTrack track(view, *other.index, origin);
  track.add(fmt::format("{}: main thread", trace.process), false, std::move(on_thread),
            kRankLevels);
  track.add(fmt::format("{}: GPU", trace.process), true, std::move(on_gpu), kRankLevels);
}

} // namespace

void add_other_ranks(std::span<const TraceIndex> traces,
                     const std::vector<result::StragglerRow>& stragglers,
                     std::vector<result::StepView>& views) {
  std::unordered_map<std::string_view, std::pair<std::size_t, Nanoseconds>> known;
  for (const result::StragglerRow& row : stragglers)
    known.emplace(row.process,
                  std::pair{known.size(), Nanoseconds{static_cast<std::int64_t>(
                                              1000 * row.clock_offset_us.value_or(0))}});
  for (result::StepView& view : views) {
    // A look at another rank goes through all of its trace.
    if (!view.number || view.which == "step") continue;
    std::vector<RankStep> others;
    std::optional<RankStep> own;
    for (const TraceIndex& index : traces) {
      const TraceStep* step = step_with(index, *view.number);
      if (step == nullptr || !index.trace.clock_known || index.trace.slices.size() > kHugeRankTrace)
        continue;
      const auto found = known.find(index.trace.process);
      const RankStep rank{&index, step,
                          found == known.end() ? Nanoseconds{} : found->second.second};
      if (index.trace.process == view.process)
        own = rank;
      else
        others.push_back(rank);
    }
    if (!own) continue;
    // Who comes latest first: that is who the others wait for.
    const auto place = [&](const RankStep& rank) {
      const auto found = known.find(rank.index->trace.process);
      return found == known.end() ? known.size() : found->second.first;
    };
    std::stable_sort(others.begin(), others.end(),
                     [&](const RankStep& a, const RankStep& b) { return place(a) < place(b); });
    others.resize(std::min(others.size(), kMaxOtherRanks));
    for (const RankStep& other : others)
      add_rank(view, other, own->step->host_start - own->ahead + other.ahead);
  }
}

} // namespace debrief::aggregate
