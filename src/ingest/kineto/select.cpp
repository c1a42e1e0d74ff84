#include "ingest/kineto/select.h"

#include "ingest/kineto/builder.h"
#include "ingest/select_job.h"
#include "util/parallel.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace debrief::ingest::kineto {

namespace {

/// Traces that agree in how much they hold and when: two recordings never do, since times are in
/// nanoseconds. Those of a known process or rank are no copies of another's.
class AlikeTraces {
public:
  /// The first one that `trace` is a copy of.
  std::optional<std::size_t> find(const job::Trace& trace) const {
    std::optional<std::size_t> first;
    const auto look = [&](const auto& among, const auto& key) {
      const auto found = among.find(key);
      if (found != among.end() && (!first || found->second < *first)) first = found->second;
    };
    const Number none;
    if (trace.pid && trace.rank) {
      for (const Number& pid : {trace.pid, none})
        for (const Number& rank : {trace.rank, none})
          look(by_both_, std::pair{pid, rank});
    } else if (trace.pid) {
      look(by_pid_, trace.pid);
      look(by_pid_, none);
    } else if (trace.rank) {
      look(by_rank_, trace.rank);
      look(by_rank_, none);
    } else {
      return first_;
    }
    return first;
  }

  /// Places rise.
  void add(const job::Trace& trace, std::size_t place) {
    if (!first_) first_ = place;
    by_both_.try_emplace({trace.pid, trace.rank}, place);
    by_pid_.try_emplace(trace.pid, place);
    by_rank_.try_emplace(trace.rank, place);
  }

private:
  using Number = std::optional<std::int64_t>;

  std::optional<std::size_t> first_;
  std::map<std::pair<Number, Number>, std::size_t> by_both_;
  std::map<Number, std::size_t> by_pid_;
  std::map<Number, std::size_t> by_rank_;
};

/// What copies agree in.
auto content_of(const job::Trace& trace) {
  return std::tuple{trace.slices.size(), trace.memory.size(), trace.span(), trace.counts};
}

Microseconds gap_between(const TimeSpan& a, const TimeSpan& b) {
  if (a.last < b.first) return b.first - a.last;
  return b.last < a.first ? a.first - b.last : 0;
}

/// Drops those of which `stays(place)` does not hold: asked in order, before any is moved.
template <typename Stays>
void keep_if(std::vector<job::Trace>& traces, const Stays& stays) {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < traces.size(); ++i)
    if (stays(i)) places.push_back(i);
  std::vector<job::Trace> kept;
  kept.reserve(places.size());
  for (const std::size_t i : places)
    kept.push_back(std::move(traces[i]));
  traces = std::move(kept);
}

} // namespace

// Each looks at all slices of all traces, which is done on all cores.

void drop_copies(std::vector<job::Trace>& traces, job::ReadingReport& report) {
  const auto contents = parallel_map(traces, content_of);
  std::map<decltype(content_of(traces.front())), AlikeTraces> alike;
  keep_if(traces, [&](std::size_t i) {
    AlikeTraces& others = alike[contents[i]];
    const auto first = others.find(traces[i]);
    if (first)
      report.ignored.push_back({traces[i].path, "has the same content as " + traces[*first].path});
    else
      others.add(traces[i], i);
    return !first;
  });
}

void drop_others(const TimeSpan& job, std::vector<job::Trace>& traces, job::ReadingReport& report) {
  const auto spans = parallel_map(traces, [](const job::Trace& trace) { return trace.span(); });
  keep_if(traces, [&](std::size_t i) {
    if (!traces[i].clock_known || !spans[i]) return true;
    const TimeSpan recorded{to_microseconds(spans[i]->first), to_microseconds(spans[i]->second)};
    if (gap_between(recorded, job) <= kSilenceBetweenJobs) return true;
    report.ignored.push_back({traces[i].path, "another job's trace, recorded at another time"});
    return false;
  });
}

void drop_overflowing(std::vector<job::Trace>& traces, job::ReadingReport& report) {
  constexpr std::size_t kSurelyFit = 8;
  if (traces.size() <= kSurelyFit) return;
  const auto times = parallel_map(traces, [](const job::Trace& trace) {
    Nanoseconds sum{};
    for (const job::Slice& slice : trace.slices)
      sum += slice.duration;
    return sum;
  });
  Nanoseconds left = kSurelyFit * kMostSliceTime / 2;
  keep_if(traces, [&](std::size_t i) {
    if (times[i] > left) {
      job::ReadingReport::count(report.damaged_files, "times of the trace overflow",
                                traces[i].path);
      return false;
    }
    left -= times[i];
    return true;
  });
}

} // namespace debrief::ingest::kineto
