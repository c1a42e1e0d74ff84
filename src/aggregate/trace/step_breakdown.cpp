#include "aggregate/trace/figures.h"
#include "aggregate/trace/index.h"
#include "util/parallel.h"

#include <array>
#include <iterator>
#include <map>
#include <string_view>

namespace debrief::aggregate {

namespace {

constexpr std::size_t kParts = std::size(result::kStepParts);
static_assert(kParts == kRoles + 1);

struct Lengths {
  Nanoseconds whole{};
  Nanoseconds busy{};
  std::array<Nanoseconds, kParts> parts{};

  void add(const Lengths& other) {
    whole += other.whole;
    busy += other.busy;
    for (std::size_t i = 0; i < kParts; ++i)
      parts[i] += other.parts[i];
  }
};

/// The moments of a trace by what counts in them: disjoint sets. Steps may overlap, so looking one
/// up must not cost as much as what lies in it.
struct StepMoments {
  std::vector<Coverage<Nanoseconds>> parts; ///< by role
  Coverage<Nanoseconds> busy;               ///< of GPUs
};

StepMoments moments_of(const TraceIndex& index) {
  std::array<std::vector<TraceSpan>, kRoles> found;
  std::vector<TraceSpan> work;
  for (std::size_t i = 0; i < index.trace.slices.size(); ++i) {
    const job::Slice& slice = index.trace.slices[i];
    if (job::is_gpu_work(slice.kind)) add_interval(work, {slice.start, slice.end()});
    if (const Role role = index.roles.of(i); role != Role::none)
      add_interval(found[static_cast<std::size_t>(role)], {slice.start, slice.end()});
  }
  StepMoments moments{{}, Coverage<Nanoseconds>{to_set(std::move(work))}};
  IntervalSet<Nanoseconds> taken;
  for (std::size_t role = 0; role < kRoles; ++role) {
    const IntervalSet<Nanoseconds> all = to_set(std::move(found[role]));
    moments.parts.emplace_back(difference(all, taken));
    taken = set_union(taken, all);
  }
  return moments;
}

Lengths lengths_of(const TraceStep& step, const StepMoments& moments) {
  const TraceSpan bounds{step.start, step.end};
  Lengths lengths;
  lengths.whole = step.length();
  lengths.busy = moments.busy.within(bounds);
  Nanoseconds rest = lengths.whole;
  for (std::size_t i = 0; i < kRoles; ++i) {
    lengths.parts[i] = moments.parts[i].within(bounds);
    rest -= lengths.parts[i];
  }
  lengths.parts.back() = rest;
  return lengths;
}

template <typename Breakdown>
void put(const Lengths& lengths, Breakdown& out) {
  out.us = in_microseconds(lengths.whole);
  out.gpu_busy_us = in_microseconds(lengths.busy);
  for (std::size_t i = 0; i < kParts; ++i) {
    const double us = in_microseconds(lengths.parts[i]);
    out.parts.push_back({result::kStepParts[i], us, out.us > 0 ? 100 * us / out.us : 0});
  }
}

} // namespace

StepFigures step_breakdown(std::span<const TraceIndex> indices) {
  std::vector<std::vector<Lengths>> of_steps(indices.size());
  parallel_for(indices.size(), [&](std::size_t i) {
    if (indices[i].steps.empty()) return;
    const StepMoments moments = moments_of(indices[i]);
    for (const TraceStep& step : indices[i].steps)
      of_steps[i].push_back(lengths_of(step, moments));
  });
  StepFigures figures;
  std::vector<Lengths> sums; // of figures.processes
  std::map<std::string_view, std::size_t> places;
  for (std::size_t at = 0; at < indices.size(); ++at) {
    const TraceIndex& index = indices[at];
    if (index.steps.empty()) continue;
    const job::Trace& trace = index.trace;
    const auto [place, is_new] = places.try_emplace(trace.process, sums.size());
    if (is_new) {
      figures.processes.push_back({trace.process, 0, 0, 0, {}});
      sums.emplace_back();
    }
    Lengths& sum = sums[place->second];
    for (std::size_t i = 0; i < index.steps.size(); ++i) {
      const TraceStep& step = index.steps[i];
      const Lengths& lengths = of_steps[at][i];
      sum.add(lengths);
      if (step.number) ++figures.processes[place->second].steps; // as the files count them
      result::StepBreakdown& row = figures.steps.emplace_back();
      row.process = trace.process;
      row.number = step.number;
      if (trace.clock_known) row.start = to_microseconds(step.start);
      row.phase = step.phase;
      row.tokens = step.tokens;
      put(lengths, row);
    }
  }
  for (std::size_t i = 0; i < sums.size(); ++i)
    put(sums[i], figures.processes[i]);
  return figures;
}

} // namespace debrief::aggregate
