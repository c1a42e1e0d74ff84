#include "aggregate/trace/figures.h"
#include "aggregate/trace/index.h"
#include "util/seeded_hash.h"

#include <algorithm>
#include <array>
#include <optional>
#include <unordered_map>

namespace debrief::aggregate {

namespace {

// In the order of result::kMemoryCategories.
constexpr std::size_t kOfModel = 0;
constexpr std::size_t kOfGradients = 1;
constexpr std::size_t kOfActivations = 2;
constexpr std::size_t kTemporary = 3;
constexpr std::size_t kCategoryCount = std::size(result::kMemoryCategories);

enum class MemoryPhase { forward, backward, optimizer };

/// The phase that each slice of a CPU thread belongs to. What holds a slice comes before it, so
/// that one look at each is enough however deep they nest.
class Phases {
public:
  explicit Phases(const TraceIndex& index)
      : open_(index) {
    const std::size_t count = index.trace.slices.size();
    phases_.resize(count, MemoryPhase::forward);
    for (std::size_t at = 0; at < count; ++at) {
      const std::int32_t around = index.parent[at];
      const std::string_view name = index.name(static_cast<std::int32_t>(at));
      if (name.starts_with("autograd::engine::"))
        phases_[at] = MemoryPhase::backward;
      else if (name.starts_with("Optimizer."))
        phases_[at] = MemoryPhase::optimizer;
      else if (around != TraceIndex::kNone)
        phases_[at] = phases_[static_cast<std::size_t>(around)];
    }
  }

  MemoryPhase at(const job::MemoryEvent& event) const {
    const std::int32_t slice = open_.at(event.track, event.time);
    return slice == TraceIndex::kNone ? MemoryPhase::forward
                                      : phases_[static_cast<std::size_t>(slice)];
  }

private:
  OpenSlices open_;
  std::vector<MemoryPhase> phases_;
};

/// What a block is for. Absent `freed`: it was not, while the trace was recorded.
std::size_t category_of(MemoryPhase allocated, const std::optional<MemoryPhase>& freed) {
  switch (allocated) {
  case MemoryPhase::forward:
    return freed == MemoryPhase::backward ? kOfActivations : kTemporary;
  case MemoryPhase::backward: // those that outlive the backward pass are what it is for
    return freed == MemoryPhase::backward ? kTemporary : kOfGradients;
  case MemoryPhase::optimizer:
    break;
  }
  return freed ? kTemporary : kOfModel;
}

/// Of each event the category of its block; kCategoryCount: it frees what was there before.
std::vector<std::size_t> categories_of(const TraceIndex& index,
                                       std::span<const job::MemoryEvent* const> events) {
  const Phases phases{index};
  std::vector<std::size_t> out(events.size(), kCategoryCount);
  std::unordered_map<std::uint64_t, std::size_t, SeededHash> alive; // events, by address
  const auto decide = [&](std::size_t at, const std::optional<MemoryPhase>& freed) {
    out[at] = category_of(phases.at(*events[at]), freed);
  };
  for (std::size_t at = 0; at < events.size(); ++at) {
    if (events[at]->bytes > 0) {
      const auto [block, is_new] = alive.emplace(events[at]->address, at);
      if (!is_new) { // its release is missing
        decide(block->second, std::nullopt);
        block->second = at;
      }
    } else if (const auto block = alive.find(events[at]->address); block != alive.end()) {
      decide(block->second, phases.at(*events[at]));
      out[at] = out[block->second];
      alive.erase(block);
    }
  }
  for (const auto& [address, at] : alive)
    decide(at, std::nullopt);
  return out;
}

} // namespace

result::MemoryByCategory memory_by_category(const TraceIndex& index,
                                            std::span<const job::MemoryEvent* const> events,
                                            std::span<const MemoryLevel> levels) {
  result::MemoryByCategory out;
  if (events.size() < 2 || events.size() != levels.size() || !events.front()->gpu) return out;
  // Forward and backward passes are told by steps: without one there is nothing to compare.
  if (std::none_of(index.steps.begin(), index.steps.end(),
                   [](const TraceStep& step) { return step.number.has_value(); }))
    return out;
  const std::vector<std::size_t> categories = categories_of(index, events);
  if (std::find(categories.begin(), categories.end(), kOfActivations) == categories.end())
    return out;
  out.bytes.resize(kCategoryCount);
  std::array<std::int64_t, kCategoryCount> now{};
  // Of each stretch of time the moment at which most is held, so that peaks stay.
  const Nanoseconds first = levels.front().time;
  const Nanoseconds length = std::max(levels.back().time - first, Nanoseconds{1});
  const auto stretch_of = [&](Nanoseconds time) {
    const double share =
        static_cast<double>((time - first).count()) / static_cast<double>(length.count());
    return static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) *
                                    static_cast<double>(result::kMaxCategoryPoints - 1));
  };
  std::optional<std::size_t> stretch;
  std::int64_t highest = 0;
  for (std::size_t at = 0; at < events.size(); ++at) {
    if (categories[at] < kCategoryCount)
      if (__builtin_add_overflow(now[categories[at]], events[at]->bytes, &now[categories[at]]))
        return {}; // sizes that no machine has
    const bool is_new = stretch != stretch_of(levels[at].time);
    if (!is_new && levels[at].allocated <= highest) continue;
    if (is_new) {
      stretch = stretch_of(levels[at].time);
      out.times.push_back(0);
      for (std::vector<std::int64_t>& of_category : out.bytes)
        of_category.push_back(0);
    }
    highest = levels[at].allocated;
    out.times.back() = to_microseconds(levels[at].time);
    std::int64_t rest = levels[at].allocated; // what was there before the trace is the model's
    for (std::size_t of = 0; of < kCategoryCount; ++of) {
      const std::int64_t bytes = std::max<std::int64_t>(now[of], 0);
      out.bytes[of].back() = std::min(bytes, rest);
      rest -= out.bytes[of].back();
    }
    out.bytes[kOfModel].back() += rest;
  }
  return out;
}

} // namespace debrief::aggregate
