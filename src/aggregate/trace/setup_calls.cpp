#include "aggregate/trace/setup_calls.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <string_view>

namespace debrief::aggregate {

namespace {

using namespace std::chrono_literals;

/// A launch takes some 5 µs, one whose code is loaded first takes milliseconds.
constexpr Nanoseconds kLongLaunch = 1ms;

/// A launch that waited for room in a full queue ends long before its kernel starts.
constexpr Nanoseconds kEmptyQueue = 100us;

constexpr Nanoseconds kLongOperator = 100ms;
constexpr int kNextToNothing = 10; // a tenth of the operator's time

constexpr std::array<std::string_view, 7> kSetupWords = {
    "ModuleLoad",       "LibraryLoad",      "LinkComplete",  "StreamBeginCapture",
    "StreamEndCapture", "GraphInstantiate", "(dynamo_timed)"};

bool is_setup(std::string_view name) {
  return std::any_of(kSetupWords.begin(), kSetupWords.end(),
                     [&](std::string_view word) { return name.find(word) != name.npos; });
}

/// What an operator launched by itself.
struct Launched {
  Nanoseconds work{};
  bool any = false;
};

} // namespace

WaitingCalls setup_calls(const TraceIndex& index) {
  const auto& slices = index.trace.slices;
  std::vector<char> by_name(index.trace.names.size(), -1); // not asked yet
  WaitingCalls setup(slices.size());
  std::vector<Launched> launched(slices.size());
  WaitingCalls waits(slices.size()); // calls, and all around them, in which the host waited
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const job::Slice& slice = slices[i];
    if (job::is_gpu_work(slice.kind)) {
      const std::int32_t call = index.launch[i];
      if (call == TraceIndex::kNone) continue;
      const job::Slice& launch = slice_at(index, call);
      if (slice.kind == job::SliceKind::kernel && launch.duration >= kLongLaunch &&
          slice.start <= launch.end() + kEmptyQueue)
        setup[static_cast<std::size_t>(call)] = true;
      const bool queued = slice.start > launch.end() + kEmptyQueue;
      if ((launch.duration >= kLongLaunch && queued) || slice.kind == job::SliceKind::memcpy)
        waits[static_cast<std::size_t>(call)] = true;
      if (const std::int32_t op = index.op[i]; op != TraceIndex::kNone) {
        launched[static_cast<std::size_t>(op)].any = true;
        launched[static_cast<std::size_t>(op)].work += slice.duration;
      }
      continue;
    }
    const auto at = static_cast<std::int32_t>(i);
    char& known = by_name[static_cast<std::size_t>(slice.name)];
    if (known < 0) known = is_setup(index.name(at)) ? 1 : 0;
    if (known == 1) setup[i] = true;
    if (slice.kind == job::SliceKind::runtime && index.name(at).ends_with("Synchronize"))
      waits[i] = true;
  }
  for (std::size_t i = 0; i < slices.size(); ++i)
    if (waits[i])
      for (std::int32_t around = index.parent[i];
           around != TraceIndex::kNone && !waits[static_cast<std::size_t>(around)];
           around = parent_of(index, around))
        waits[static_cast<std::size_t>(around)] = true;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const job::Slice& slice = slices[i];
    if (slice.kind != job::SliceKind::op || slice.duration < kLongOperator || !launched[i].any ||
        launched[i].work * kNextToNothing > slice.duration)
      continue;
    // Convolutions are timed against each other the first time, which waits for the GPU.
    if (!waits[i] ||
        index.name(static_cast<std::int32_t>(i)).find("convolution") != std::string_view::npos)
      setup[i] = true;
  }
  return setup;
}

std::vector<result::SyncRow> setup_rows(std::span<const TraceIndex> traces) {
  return waiting_rows(traces, setup_calls);
}

} // namespace debrief::aggregate
