#include "aggregate/statistics.h"
#include "aggregate/trace/figures.h"
#include "aggregate/trace/index.h"
#include "util/interval_set.h"
#include "util/sort_runs.h"

#include <algorithm>
#include <array>
#include <functional>
#include <tuple>

namespace debrief::aggregate {

namespace {

class Launches {
public:
  void add(const TraceIndex& index) {
    Slices work;
    const auto& slices = index.trace.slices;
    for (std::size_t i = 0; i < slices.size(); ++i) {
      if (!job::is_gpu_work(slices[i].kind)) continue;
      const bool kernel = slices[i].kind == job::SliceKind::kernel;
      if (index.launch[i] != TraceIndex::kNone) work.push_back(static_cast<std::int32_t>(i));
      if (kernel) ++(index.launch[i] == TraceIndex::kNone ? row.without_launch : row.launches);
    }
    add_queues(index, work);
    std::erase_if(work, [&](std::int32_t slice) {
      return slice_at(index, slice).kind != job::SliceKind::kernel;
    });
    add_delays(index, work);
  }

  void finish() {
    constexpr std::array kShares = {0.5, 0.95, 1.0};
    if (calls_.empty()) return;
    const auto calls = quantiles(calls_, kShares);
    row.launch_p50_us = calls[0];
    row.launch_p95_us = calls[1];
    const auto delays = quantiles(delays_, kShares);
    row.delay_p50_us = delays[0];
    row.delay_p95_us = delays[1];
    row.delay_max_us = delays[2];
  }

  result::LaunchStats row;

private:
  using Slices = std::vector<std::int32_t>;

  static std::int32_t call_of(const TraceIndex& index, std::int32_t work) {
    return index.launch[static_cast<std::size_t>(work)];
  }

  void add_delays(const TraceIndex& index, Slices& kernels) {
    const auto order = [&](std::int32_t kernel) {
      return std::tuple{call_of(index, kernel), slice_at(index, kernel).start};
    };
    sort_runs(kernels.begin(), kernels.end(),
              [&](std::int32_t a, std::int32_t b) { return order(a) < order(b); });
    for (std::size_t i = 0; i < kernels.size();) {
      const std::int32_t asked = call_of(index, kernels[i]);
      const job::Slice& call = slice_at(index, asked);
      const job::Slice& kernel = slice_at(index, kernels[i]);
      std::size_t next = i + 1;
      while (next < kernels.size() && call_of(index, kernels[next]) == asked)
        ++next;
      calls_.push_back(in_microseconds(call.duration));
      delays_.push_back(in_microseconds(std::max(Nanoseconds{}, kernel.start - call.end())));
      if (next == i + 1 && kernel.duration < call.duration) ++row.short_kernels;
      i = next;
    }
  }

  /// Per stream: up by one where the host asks, down by one where the work begins, if a call asked
  /// for several then the first of them.
  void add_queues(const TraceIndex& index, Slices& work) {
    const auto order = [&](std::int32_t slice) {
      return std::tuple{slice_at(index, slice).track, call_of(index, slice),
                        slice_at(index, slice).start};
    };
    sort_runs(work.begin(), work.end(),
              [&](std::int32_t a, std::int32_t b) { return order(a) < order(b); });
    std::vector<Nanoseconds> asked;
    std::vector<Nanoseconds> begun;
    for (std::size_t i = 0; i < work.size(); ++i) {
      const auto [track, call, start] = order(work[i]);
      const bool goes_on = i > 0 && slice_at(index, work[i - 1]).track == track;
      if (!goes_on) count_waiting(asked, begun);
      if (goes_on && call_of(index, work[i - 1]) == call) continue;
      asked.push_back(slice_at(index, call).start);
      begun.push_back(std::max(asked.back(), start));
    }
    count_waiting(asked, begun);
  }

  /// Of one stream; empties the lists.
  void count_waiting(std::vector<Nanoseconds>& asked, std::vector<Nanoseconds>& begun) {
    sort_runs(asked.begin(), asked.end(), std::less{});
    sort_runs(begun.begin(), begun.end(), std::less{});
    std::int64_t waiting = 0;
    std::size_t next = 0;
    for (const Nanoseconds time : asked) {
      for (; next < begun.size() && begun[next] <= time; ++next)
        --waiting; // what begins leaves before the next one comes
      row.queue_max = std::max(row.queue_max, ++waiting);
    }
    asked.clear();
    begun.clear();
  }

  std::vector<double> calls_;
  std::vector<double> delays_;
};

} // namespace

std::vector<result::LaunchStats> launch_stats(std::span<const TraceIndex> traces) {
  std::vector<result::LaunchStats> rows;
  for (const TracedProcess& process : by_process(traces)) {
    Launches launches;
    launches.row.process = process.name;
    for (const TraceIndex* cycle : process.cycles)
      launches.add(*cycle);
    launches.finish();
    if (launches.row.launches + launches.row.without_launch > 0)
      rows.push_back(std::move(launches.row));
  }
  return rows;
}

} // namespace debrief::aggregate
