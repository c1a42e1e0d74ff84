#include "aggregate/trace/launches.h"

#include "aggregate/quantiles.h"
#include "aggregate/trace/around.h"
#include "aggregate/trace/intervals.h"
#include "aggregate/trace/processes.h"

#include <algorithm>
#include <array>
#include <tuple>

namespace debrief {

namespace {

/// GPU work and the call that asked for it.
struct Started {
  std::int32_t call = TraceIndex::kNone;
  std::int32_t track = 0; ///< the stream
  Nanoseconds start = 0;
  Nanoseconds duration = 0;
};

class Launches {
public:
  void add(const TraceIndex& index) {
    std::vector<Started> kernels;
    std::vector<Started> work;
    const auto& slices = index.trace.slices;
    for (std::size_t i = 0; i < slices.size(); ++i) {
      const Slice& slice = slices[i];
      if (!is_gpu_work(slice.kind)) continue;
      const bool kernel = slice.kind == SliceKind::kernel;
      if (index.launch[i] == TraceIndex::kNone) {
        if (kernel) ++row.without_launch;
        continue;
      }
      const Started started{index.launch[i], slice.track, slice.start, slice.duration};
      work.push_back(started);
      if (kernel) kernels.push_back(started);
    }
    row.launches += static_cast<std::int64_t>(kernels.size());
    add_delays(index, kernels);
    add_queues(index, work);
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
  void add_delays(const TraceIndex& index, std::vector<Started>& kernels) {
    const auto by_call = [](const Started& a, const Started& b) {
      return std::tie(a.call, a.start) < std::tie(b.call, b.start);
    };
    std::sort(kernels.begin(), kernels.end(), by_call);
    for (std::size_t i = 0; i < kernels.size();) {
      const Slice& call = slice_at(index, kernels[i].call);
      std::size_t next = i + 1;
      while (next < kernels.size() && kernels[next].call == kernels[i].call)
        ++next;
      calls_.push_back(to_us(call.duration));
      delays_.push_back(to_us(std::max<Nanoseconds>(0, kernels[i].start - call.end())));
      if (next == i + 1 && kernels[i].duration < call.duration) ++row.short_kernels;
      i = next;
    }
  }

  /// Per stream: up by one where the host asks, down by one where the work begins.
  void add_queues(const TraceIndex& index, std::vector<Started>& work) {
    const auto order = [](const Started& a, const Started& b) {
      return std::tie(a.track, a.call, a.start) < std::tie(b.track, b.call, b.start);
    };
    std::sort(work.begin(), work.end(), order);
    const auto again = [](const Started& a, const Started& b) {
      return a.track == b.track && a.call == b.call;
    };
    work.erase(std::unique(work.begin(), work.end(), again), work.end());
    std::vector<std::pair<Nanoseconds, std::int64_t>> changes;
    for (std::size_t i = 0; i < work.size(); ++i) {
      const Nanoseconds asked = slice_at(index, work[i].call).start;
      changes.emplace_back(asked, 1);
      changes.emplace_back(std::max(asked, work[i].start), -1);
      if (i + 1 < work.size() && work[i + 1].track == work[i].track) continue;
      std::sort(changes.begin(), changes.end()); // what begins leaves before the next one comes
      std::int64_t waiting = 0;
      for (const auto& [time, change] : changes)
        row.queue_max = std::max(row.queue_max, waiting += change);
      changes.clear();
    }
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

} // namespace debrief
