#include "aggregate/trace/figures.h"
#include "aggregate/trace/index.h"
#include "util/parallel.h"
#include "util/seeded_hash.h"

#include <algorithm>
#include <numeric>
#include <string_view>
#include <unordered_map>

namespace debrief::aggregate {

namespace {

constexpr std::int32_t kOutside = -1;
constexpr std::size_t kMaxStackNodes = 20'000; ///< while they are summed up
constexpr double kLeastStack = 0.003;          ///< of the whole; less has no bar of its own

/// One name at one place of the nesting.
struct StackSum {
  std::string_view name;
  std::int32_t parent = kOutside;
  std::int32_t depth = 0;
  Nanoseconds self{};
  Nanoseconds total{};
  std::int64_t calls = 0;
};

/// Operators, annotations and modules by what they lie in. Outermost is the phase that the work
/// belongs to, since each thread has only a part of a step.
class StackSums {
public:
  /// Where the slice, or what holds it, is.
  std::int32_t place(const TraceIndex& index, std::vector<std::int32_t>& known,
                     std::int32_t slice) {
    if (slice == TraceIndex::kNone) return kOutside;
    std::int32_t& own = known[static_cast<std::size_t>(slice)];
    if (own != kUnplaced) return own;
    // Without recursion: a hostile trace can nest as deep as it likes.
    std::vector<std::int32_t> chain;
    std::int32_t at = slice;
    while (at != TraceIndex::kNone && known[static_cast<std::size_t>(at)] == kUnplaced) {
      chain.push_back(at);
      at = parent_of(index, at);
    }
    std::int32_t parent = at == TraceIndex::kNone ? kOutside : known[static_cast<std::size_t>(at)];
    std::reverse(chain.begin(), chain.end()); // outermost first
    for (const std::int32_t inner : chain) {
      if (counts(index, inner)) {
        if (parent == kOutside) parent = child(kOutside, phase_of(index, inner));
        const std::int32_t made = child(parent, shown_name(index.name(inner)));
        if (made != parent) ++sums_[static_cast<std::size_t>(made)].calls;
        parent = made;
      }
      known[static_cast<std::size_t>(inner)] = parent;
    }
    return known[static_cast<std::size_t>(slice)];
  }

  void add(std::int32_t place, Nanoseconds time) {
    if (place == kOutside) place = child(kOutside, "outside operators");
    if (place != kOutside) sums_[static_cast<std::size_t>(place)].self += time;
  }

  /// Adds all that another trace has. Its names are valid as long as the trace.
  void add(const StackSums& other) {
    std::vector<std::int32_t> places(other.sums_.size());
    for (std::size_t at = 0; at < places.size(); ++at) {
      const StackSum& sum = other.sums_[at];
      const std::int32_t parent =
          sum.parent == kOutside ? kOutside : places[static_cast<std::size_t>(sum.parent)];
      places[at] = child(parent, sum.name);
      if (places[at] == kOutside) continue;
      StackSum& own = sums_[static_cast<std::size_t>(places[at])];
      own.self += sum.self;
      if (places[at] != parent) own.calls += sum.calls;
    }
  }

  std::vector<result::OperatorStack> finish() &&;

  static constexpr std::int32_t kUnplaced = -2;

private:
  static bool counts(const TraceIndex& index, std::int32_t slice) {
    const job::SliceKind kind = slice_at(index, slice).kind;
    if (kind == job::SliceKind::annotation) return !index.name(slice).starts_with("ProfilerStep#");
    return kind == job::SliceKind::op || kind == job::SliceKind::module;
  }

  static std::string_view phase_of(const TraceIndex& index, std::int32_t outermost) {
    const std::string_view name = index.name(outermost);
    if (name.starts_with("autograd::engine::")) return "backward";
    if (name.starts_with("Optimizer.")) return "optimizer";
    return "forward and other";
  }

  /// Without what only says that autograd called it.
  static std::string_view shown_name(std::string_view name) {
    constexpr std::string_view kEngine = "autograd::engine::evaluate_function: ";
    return name.starts_with(kEngine) ? name.substr(kEngine.size()) : name;
  }

  /// The node of a name inside of another; that one itself where it is deep enough, or named so.
  std::int32_t child(std::int32_t parent, std::string_view name) {
    const std::int32_t depth =
        parent == kOutside ? 0 : sums_[static_cast<std::size_t>(parent)].depth + 1;
    if (parent != kOutside &&
        (depth >= result::kMaxStackDepth || sums_[static_cast<std::size_t>(parent)].name == name))
      return parent;
    const bool full = sums_.size() >= kMaxStackNodes;
    auto number = names_.find(name);
    if (number == names_.end()) {
      if (full) return parent; // a hostile trace has a name for each slice
      number = names_.emplace(name, static_cast<std::int32_t>(names_.size())).first;
    }
    const auto key = static_cast<std::uint64_t>(static_cast<std::uint32_t>(parent)) << 32 |
                     static_cast<std::uint32_t>(number->second);
    const auto found = children_.find(key);
    if (found != children_.end()) return found->second;
    if (full) return parent;
    const auto made = static_cast<std::int32_t>(sums_.size());
    children_.emplace(key, made);
    sums_.push_back({number->first, parent, depth, {}, {}, 0});
    return made;
  }

  std::vector<StackSum> sums_; ///< parents before what is inside of them
  std::unordered_map<std::string_view, std::int32_t, SeededHash> names_;
  std::unordered_map<std::uint64_t, std::int32_t, SeededHash> children_;
};

std::vector<result::OperatorStack> StackSums::finish() && {
  Nanoseconds whole{};
  for (std::size_t at = sums_.size(); at-- > 0;) {
    StackSum& sum = sums_[at];
    sum.total += std::max(Nanoseconds{}, sum.self); // slices that cross each other may take more
    if (sum.parent == kOutside)
      whole += sum.total;
    else
      sums_[static_cast<std::size_t>(sum.parent)].total += sum.total;
  }
  std::vector<std::size_t> order;
  for (std::size_t at = 0; at < sums_.size(); ++at)
    if (static_cast<double>(sums_[at].total.count()) >=
            kLeastStack * static_cast<double>(whole.count()) &&
        sums_[at].total.count() > 0)
      order.push_back(at);
  // What holds another has at least its time, so that no bar is kept without what it hangs from.
  if (order.size() > result::kMaxStacks) {
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return sums_[a].total > sums_[b].total ||
             (sums_[a].total == sums_[b].total && sums_[a].depth < sums_[b].depth);
    });
    order.resize(result::kMaxStacks);
    std::sort(order.begin(), order.end());
  }
  std::vector<std::int32_t> numbers(sums_.size(), kOutside);
  std::vector<result::OperatorStack> out;
  for (const std::size_t at : order) {
    const StackSum& sum = sums_[at];
    numbers[at] = static_cast<std::int32_t>(out.size());
    out.push_back({std::string{sum.name},
                   sum.parent == kOutside ? -1 : numbers[static_cast<std::size_t>(sum.parent)],
                   sum.depth, in_microseconds(sum.total), sum.calls});
  }
  return out;
}

/// By what its GPU did, or its operators where it is of none.
StackSums sums_of(const TraceIndex& index, bool gpu) {
  StackSums sums;
  const std::vector<job::Slice>& slices = index.trace.slices;
  std::vector<std::int32_t> known(slices.size(), StackSums::kUnplaced);
  for (std::size_t at = 0; at < slices.size(); ++at) {
    const auto slice = static_cast<std::int32_t>(at);
    if (gpu) {
      if (!job::is_gpu_work(slices[at].kind)) continue;
      const std::int32_t launch = index.launch[at];
      sums.add(sums.place(index, known, launch == TraceIndex::kNone ? index.op[at] : launch),
               slices[at].duration);
    } else if (slices[at].kind == job::SliceKind::op) {
      // Of what holds it, it is no time of its own.
      sums.add(sums.place(index, known, slice), slices[at].duration);
      const std::int32_t around = innermost_op(index, parent_of(index, slice));
      if (around != TraceIndex::kNone)
        sums.add(sums.place(index, known, around), -slices[at].duration);
    }
  }
  return sums;
}

} // namespace

std::vector<result::OperatorStack> operator_stacks(std::span<const TraceIndex> traces) {
  const auto has_gpu_work = [](const TraceIndex& index) {
    return std::any_of(index.trace.slices.begin(), index.trace.slices.end(),
                       [](const job::Slice& slice) { return job::is_gpu_work(slice.kind); });
  };
  const bool gpu = std::any_of(traces.begin(), traces.end(), has_gpu_work);
  StackSums sums;
  parallel_in_order(
      traces.size(), [&](std::size_t i) { return sums_of(traces[i], gpu); },
      [&](const StackSums& of_trace, std::size_t) { sums.add(of_trace); });
  return std::move(sums).finish();
}

} // namespace debrief::aggregate
