#include "aggregate/statistics.h"
#include "aggregate/trace/figures.h"
#include "aggregate/trace/index.h"
#include "util/interval_set.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <string>
#include <vector>

namespace debrief::aggregate {

namespace {

constexpr std::size_t kBins = 20;
/// Whose ranges the backward pass, which runs on threads of its own, is looked up in.
constexpr std::size_t kMaxThreads = 16;

std::string_view row_name(std::string_view annotation) {
  return job::is_profiler_step(annotation) ? "ProfilerStep" : annotation;
}

bool is_autograd(std::string_view op) {
  return op.starts_with("autograd::engine::");
}

struct AnnotationsSums {
  std::vector<double> us;
  Nanoseconds gpu{};
};

using AnnotationsSumsByName = std::map<std::string_view, AnnotationsSums>;

/// The ranges of one trace, and the GPU work that each started.
class Ranges {
public:
  Ranges(const TraceIndex& index, AnnotationsSumsByName& sums)
      : index_(index)
      , sums_(sums)
      , open_(index)
      , gpu_(index.trace.names.size())
      , taken_(index.trace.names.size()) {
    const auto& slices = index.trace.slices;
    for (std::size_t i = 0; i < slices.size(); ++i) {
      if (slices[i].kind != job::SliceKind::annotation) continue;
      sums_[row_name(index.name(static_cast<std::int32_t>(i)))].us.push_back(
          in_microseconds(slices[i].duration));
      if (tracks_.size() < kMaxThreads && (tracks_.empty() || tracks_.back() != slices[i].track))
        tracks_.push_back(slices[i].track);
    }
  }

  void add_work(const job::Slice& work, std::int32_t launch) {
    ++works_;
    duration_ = work.duration;
    std::int32_t outermost = launch;
    for (std::int32_t around = launch; around != TraceIndex::kNone;
         around = parent_of(index_, around)) {
      take(around, false);
      outermost = around;
    }
    const job::Slice& call = slice_at(index_, launch);
    if (is_autograd(index_.name(outermost)))
      for (const std::int32_t track : tracks_)
        if (track != call.track)
          for (std::int32_t around = open_.at(track, call.start); around != TraceIndex::kNone;
               around = parent_of(index_, around))
            take(around, true);
  }

  /// After all of the work.
  void finish() {
    for (std::size_t name = 0; name < gpu_.size(); ++name)
      if (gpu_[name] > Nanoseconds{})
        sums_[row_name(index_.trace.names[static_cast<job::StringTable::Id>(name)])].gpu +=
            gpu_[name];
  }

private:
  /// Each name once. Steps count as one name.
  void take(std::int32_t slice, bool other_thread) {
    if (slice_at(index_, slice).kind != job::SliceKind::annotation) return;
    const std::string_view name = index_.name(slice);
    if (other_thread && is_collective_annotation(name)) return;
    if (job::is_profiler_step(name)) {
      if (step_taken_ == works_) return;
      step_taken_ = works_;
    }
    const auto id = static_cast<std::size_t>(slice_at(index_, slice).name);
    if (taken_[id] == works_) return;
    taken_[id] = works_;
    gpu_[id] += duration_;
  }

  const TraceIndex& index_;
  AnnotationsSumsByName& sums_;
  OpenSlices open_;
  std::vector<std::int32_t> tracks_; ///< that have annotations; the first kMaxThreads of them
  std::vector<Nanoseconds> gpu_;     ///< by name: the GPU work within such ranges
  std::vector<std::uint64_t> taken_; ///< by name: the work that it was last taken for
  std::uint64_t step_taken_ = 0;     ///< the work that a step was last taken for
  std::uint64_t works_ = 0;
  Nanoseconds duration_{}; ///< of the current work
};

result::AnnotationRow make_row(const std::string& process, std::string_view name,
                               const AnnotationsSums& sums, bool gpu) {
  result::AnnotationRow row;
  row.process = process;
  row.name = name;
  row.count = static_cast<std::int64_t>(sums.us.size());
  row.total_us = std::accumulate(sums.us.begin(), sums.us.end(), 0.0);
  row.mean_us = row.total_us / static_cast<double>(row.count);
  const auto [shortest, longest] = std::minmax_element(sums.us.begin(), sums.us.end());
  row.min_us = *shortest;
  row.max_us = *longest;
  if (gpu) row.gpu_us = in_microseconds(sums.gpu);
  row.histogram = histogram(sums.us, kBins);
  return row;
}

} // namespace

std::vector<result::AnnotationRow> annotation_rows(std::span<const TraceIndex> traces) {
  std::vector<result::AnnotationRow> all;
  for (const TracedProcess& process : by_process(traces)) {
    AnnotationsSumsByName sums;
    bool gpu = false;
    for (const TraceIndex* index : process.cycles) {
      Ranges ranges{*index, sums};
      const auto& slices = index->trace.slices;
      for (std::size_t i = 0; i < slices.size(); ++i) {
        if (!job::is_gpu_work(slices[i].kind)) continue;
        gpu = true;
        if (index->launch[i] != TraceIndex::kNone) ranges.add_work(slices[i], index->launch[i]);
      }
      ranges.finish();
    }
    std::vector<result::AnnotationRow> rows;
    for (const auto& [name, sum] : sums)
      rows.push_back(make_row(process.name, name, sum, gpu));
    std::stable_sort(rows.begin(), rows.end(),
                     [](const result::AnnotationRow& a, const result::AnnotationRow& b) {
                       return a.total_us > b.total_us;
                     });
    if (rows.size() > result::kMaxAnnotations) rows.resize(result::kMaxAnnotations);
    std::move(rows.begin(), rows.end(), std::back_inserter(all));
  }
  return all;
}

} // namespace debrief::aggregate
