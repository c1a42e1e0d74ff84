// Small traces written by hand, for tests. Times are nanoseconds.
#pragma once

#include "aggregate/trace/index.h"
#include "job/trace.h"

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace debrief::test {

/// Tests write most times as plain numbers.
struct Ns {
  template <std::integral Number>
  Ns(Number number)
      : value(static_cast<std::int64_t>(number)) {}

  Ns(Nanoseconds time)
      : value(time) {}

  Nanoseconds value;
};

class TraceMaker {
public:
  explicit TraceMaker(std::string process = "rank 0") { trace_.process = std::move(process); }

  job::Trace& trace() { return trace_; }

  /// On CPU thread `thread`.
  job::Slice& cpu(job::SliceKind kind, std::string_view name, Ns start, Ns end,
                  std::int64_t thread = 1) {
    return add(kind, name, start, end, track({false, 100, thread, {}}));
  }

  /// On a stream of a GPU.
  job::Slice& gpu(job::SliceKind kind, std::string_view name, Ns start, Ns end,
                  std::int64_t stream = 7, std::int64_t device = 0) {
    return add(kind, name, start, end, track({true, device, stream, {}}));
  }

  /// A kernel and the call that launches it.
  void launched(std::string_view name, Ns call, Ns start, Ns end, std::int64_t stream = 7) {
    const std::int64_t id = ++correlation_;
    cpu(job::SliceKind::runtime, "cudaLaunchKernel", call, call.value + Nanoseconds{5})
        .correlation = id;
    gpu(job::SliceKind::kernel, name, start, end, stream).correlation = id;
  }

  void step(std::int64_t number, Ns start, Ns end) {
    cpu(job::SliceKind::annotation, "ProfilerStep#" + std::to_string(number), start, end);
  }

  std::int32_t launch_args(const job::LaunchArgs& launch) {
    trace_.launches.push_back(launch);
    return static_cast<std::int32_t>(trace_.launches.size() - 1);
  }

  /// What an operator is called with; `types` and `concrete` are not recorded where they are empty.
  std::int32_t shapes(std::string_view dims, std::string_view types = {},
                      std::string_view concrete = {}) {
    job::InputArgs inputs;
    inputs.dims = trace_.names.intern(dims);
    if (!types.empty()) inputs.types = trace_.names.intern(types);
    if (!concrete.empty()) inputs.concrete = trace_.names.intern(concrete);
    trace_.inputs.push_back(inputs);
    return static_cast<std::int32_t>(trace_.inputs.size() - 1);
  }

  std::int32_t copy_args(std::int64_t bytes) {
    trace_.copies.push_back({bytes, -1});
    return static_cast<std::int32_t>(trace_.copies.size() - 1);
  }

  /// Slices in the order that a reader gives them.
  job::Trace make() {
    const auto order = [](const job::Slice& slice) {
      return std::tuple{slice.track, slice.start, -slice.duration, slice.kind};
    };
    std::stable_sort(trace_.slices.begin(), trace_.slices.end(),
                     [&](const job::Slice& a, const job::Slice& b) { return order(a) < order(b); });
    return std::move(trace_);
  }

private:
  std::int32_t track(const job::TraceTrack& wanted) {
    auto found = std::find(trace_.tracks.begin(), trace_.tracks.end(), wanted);
    if (found == trace_.tracks.end()) found = trace_.tracks.insert(found, wanted);
    return static_cast<std::int32_t>(found - trace_.tracks.begin());
  }

  /// The reference holds until the next slice is added.
  job::Slice& add(job::SliceKind kind, std::string_view name, Ns start, Ns end,
                  std::int32_t track) {
    job::Slice& slice = trace_.slices.emplace_back();
    slice.kind = kind;
    slice.name = trace_.names.intern(name);
    slice.start = start.value;
    slice.duration = end.value - start.value;
    slice.track = track;
    return slice;
  }

  job::Trace trace_;
  std::int64_t correlation_ = 0;
};

/// Traces cannot be copied, so a list in braces cannot hold them.
template <typename... Traces>
std::vector<job::Trace> list_of(Traces... traces) {
  std::vector<job::Trace> list;
  (list.push_back(std::move(traces)), ...);
  return list;
}

} // namespace debrief::test
