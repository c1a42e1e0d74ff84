#include "aggregate/trace/step_breakdown.h"

#include "aggregate/trace/roles.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace debrief::aggregate {

namespace {

constexpr std::size_t kParts = std::size(result::kStepParts);
static_assert(kParts == kRoles + 1);

struct Lengths {
  Nanoseconds whole = 0;
  Nanoseconds busy = 0;
  std::array<Nanoseconds, kParts> parts{};

  void add(const Lengths& other) {
    whole += other.whole;
    busy += other.busy;
    for (std::size_t i = 0; i < kParts; ++i)
      parts[i] += other.parts[i];
  }
};

/// The moments of a trace by what counts in them: disjoint sets.
struct StepMoments {
  std::array<IntervalSet, kRoles> parts;
  IntervalSet busy; ///< of GPUs
};

StepMoments moments_of(const job::Trace& trace) {
  const Roles roles{trace};
  std::array<std::vector<NsInterval>, kRoles> found;
  std::vector<NsInterval> work;
  for (const job::Slice& slice : trace.slices) {
    if (job::is_gpu_work(slice.kind)) add_interval(work, {slice.start, slice.end()});
    if (const Role role = roles.of(slice); role != Role::none)
      add_interval(found[static_cast<std::size_t>(role)], {slice.start, slice.end()});
  }
  StepMoments moments;
  moments.busy = to_set(std::move(work));
  IntervalSet taken;
  for (std::size_t i = 0; i < kRoles; ++i) {
    const IntervalSet all = to_set(std::move(found[i]));
    moments.parts[i] = difference(all, taken);
    taken = set_union(taken, all);
  }
  return moments;
}

Lengths lengths_of(const TraceStep& step, const StepMoments& moments) {
  const NsInterval bounds{step.start, step.end};
  Lengths lengths;
  lengths.whole = step.length();
  lengths.busy = length_within(moments.busy, bounds);
  Nanoseconds rest = lengths.whole;
  for (std::size_t i = 0; i < kRoles; ++i) {
    lengths.parts[i] = length_within(moments.parts[i], bounds);
    rest -= lengths.parts[i];
  }
  lengths.parts.back() = rest;
  return lengths;
}

template <typename Breakdown>
void put(const Lengths& lengths, Breakdown& out) {
  out.us = to_us(lengths.whole);
  out.gpu_busy_us = to_us(lengths.busy);
  for (std::size_t i = 0; i < kParts; ++i) {
    const double us = to_us(lengths.parts[i]);
    out.parts.push_back({result::kStepParts[i], us, out.us > 0 ? 100 * us / out.us : 0});
  }
}

} // namespace

StepFigures step_breakdown(std::span<const TraceIndex> indices) {
  StepFigures figures;
  std::vector<Lengths> sums; // of figures.processes
  for (const TraceIndex& index : indices) {
    if (index.steps.empty()) continue;
    const job::Trace& trace = index.trace;
    auto process = std::find_if(
        figures.processes.begin(), figures.processes.end(),
        [&](const result::ProcessBreakdown& other) { return other.process == trace.process; });
    if (process == figures.processes.end()) {
      process = figures.processes.insert(process, {trace.process, 0, 0, 0, {}});
      sums.emplace_back();
    }
    Lengths& sum = sums[static_cast<std::size_t>(process - figures.processes.begin())];
    const StepMoments moments = moments_of(trace);
    for (const TraceStep& step : index.steps) {
      const Lengths lengths = lengths_of(step, moments);
      sum.add(lengths);
      if (step.number) ++process->steps; // as the files count them
      result::StepBreakdown& row = figures.steps.emplace_back();
      row.process = trace.process;
      row.number = step.number;
      if (trace.clock_known) row.start = step.start / 1000;
      put(lengths, row);
    }
  }
  for (std::size_t i = 0; i < sums.size(); ++i)
    put(sums[i], figures.processes[i]);
  return figures;
}

} // namespace debrief::aggregate
