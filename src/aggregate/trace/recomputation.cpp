#include "aggregate/trace/figures.h"

#include <map>
#include <string_view>

namespace debrief::aggregate {

namespace {

/// What a slice lies in.
enum class PassOf : std::uint8_t {
  other,
  backward, ///< within a backward function
  again,    ///< within an operator that is computed again, or one itself
};

bool is_differentiable(const TraceIndex& index, const job::Slice& op) {
  return op.details >= 0 && index.trace.inputs[static_cast<std::size_t>(op.details)].differentiable;
}

struct RecomputationSums {
  std::int64_t operators = 0;
  Nanoseconds host{};
  Nanoseconds kernels{}; ///< of these operators
  Nanoseconds all{};     ///< of all kernels
};

void add_recomputation(const TraceIndex& index, RecomputationSums& sums) {
  const auto& slices = index.trace.slices;
  std::vector<PassOf> pass(slices.size(), PassOf::other);
  for (std::size_t i = 0; i < slices.size(); ++i) { // what nests follows what holds it
    const job::Slice& slice = slices[i];
    const std::int32_t around = index.parent[i];
    if (around != TraceIndex::kNone) pass[i] = pass[static_cast<std::size_t>(around)];
    if (slice.kind != job::SliceKind::op || pass[i] == PassOf::again) continue;
    if (pass[i] == PassOf::backward && is_differentiable(index, slice)) {
      pass[i] = PassOf::again;
      ++sums.operators;
      sums.host += slice.duration;
    } else if (pass[i] == PassOf::other &&
               index.name(static_cast<std::int32_t>(i))
                   .starts_with("autograd::engine::evaluate_function")) {
      pass[i] = PassOf::backward;
    }
  }
  for (std::size_t i = 0; i < slices.size(); ++i) {
    if (slices[i].kind != job::SliceKind::kernel) continue;
    sums.all += slices[i].duration;
    const std::int32_t op = index.op[i];
    if (op != TraceIndex::kNone && pass[static_cast<std::size_t>(op)] == PassOf::again)
      sums.kernels += slices[i].duration;
  }
}

} // namespace

std::vector<result::Recomputation> recomputation(std::span<const TraceIndex> traces) {
  std::vector<std::pair<std::string_view, RecomputationSums>> processes;
  std::map<std::string_view, std::size_t> places;
  for (const TraceIndex& index : traces) {
    const auto [place, is_new] = places.try_emplace(index.trace.process, processes.size());
    if (is_new) processes.emplace_back(index.trace.process, RecomputationSums{});
    add_recomputation(index, processes[place->second].second);
  }
  std::vector<result::Recomputation> out;
  for (const auto& [process, sums] : processes)
    if (sums.operators > 0)
      out.push_back({std::string{process}, sums.operators, in_microseconds(sums.host),
                     in_microseconds(sums.kernels),
                     sums.all > Nanoseconds{} ? 100 * quotient(sums.kernels, sums.all) : 0});
  return out;
}

} // namespace debrief::aggregate
