#include "ingest/kineto/select.h"

#include "ingest/kineto/builder.h"
#include "ingest/select_job.h"

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

} // namespace

void drop_copies(std::vector<job::Trace>& traces, job::ReadingReport& report) {
  std::vector<job::Trace> kept;
  kept.reserve(traces.size());
  std::map<decltype(content_of(traces.front())), AlikeTraces> alike;
  for (job::Trace& trace : traces) {
    AlikeTraces& others = alike[content_of(trace)];
    if (const auto first = others.find(trace)) {
      report.ignored.push_back({trace.path, "has the same content as " + kept[*first].path});
      continue;
    }
    others.add(trace, kept.size());
    kept.push_back(std::move(trace));
  }
  traces = std::move(kept);
}

void drop_others(const TimeSpan& job, std::vector<job::Trace>& traces, job::ReadingReport& report) {
  std::erase_if(traces, [&](const job::Trace& trace) {
    const auto span = trace.span();
    if (!trace.clock_known || !span) return false;
    const TimeSpan recorded{to_microseconds(span->first), to_microseconds(span->second)};
    if (gap_between(recorded, job) <= kSilenceBetweenJobs) return false;
    report.ignored.push_back({trace.path, "another job's trace, recorded at another time"});
    return true;
  });
}

void drop_overflowing(std::vector<job::Trace>& traces, job::ReadingReport& report) {
  constexpr std::size_t kSurelyFit = 8;
  if (traces.size() <= kSurelyFit) return;
  Nanoseconds left = kSurelyFit * kMostSliceTime / 2;
  std::erase_if(traces, [&](const job::Trace& trace) {
    Nanoseconds own{};
    for (const job::Slice& slice : trace.slices)
      own += slice.duration;
    if (own > left) {
      job::ReadingReport::count(report.damaged_files, "times of the trace overflow", trace.path);
      return true;
    }
    left -= own;
    return false;
  });
}

} // namespace debrief::ingest::kineto
