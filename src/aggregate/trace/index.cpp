#include "aggregate/trace/index.h"

#include "job/metrics.h"
#include "util/parallel.h"
#include "util/sort_runs.h"
#include "util/text.h"

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <map>
#include <utility>

namespace debrief::aggregate {

namespace {

/// Kinds that hold others, and are held.
bool nests(job::SliceKind kind) {
  return kind == job::SliceKind::op || kind == job::SliceKind::annotation ||
         kind == job::SliceKind::module || kind == job::SliceKind::runtime;
}

/// How deep slices nest; what lies deeper counts as inside of the innermost of these. Figures walk
/// from a slice outwards, so this bounds what each slice costs. Recordings stay below a hundred.
constexpr std::size_t kMaxDepth = 512;

void find_parents(const job::Trace& trace, std::vector<std::int32_t>& parent) {
  // Slices of the current track that can hold the next one, from the outermost on: what ends before
  // a slice that started later never holds one that the later slice does not.
  std::vector<std::int32_t> open;
  std::int32_t track = -1;
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    const job::Slice& slice = trace.slices[i];
    if (!nests(slice.kind)) continue;
    if (slice.track != track) open.clear();
    track = slice.track;
    const auto at = [&](std::int32_t index) -> const job::Slice& {
      return trace.slices[static_cast<std::size_t>(index)];
    };
    while (!open.empty() &&
           (at(open.back()).end() <= slice.start || at(open.back()).end() < slice.end()))
      open.pop_back();
    if (!open.empty()) parent[i] = open[std::min(open.size(), kMaxDepth) - 1];
    open.push_back(static_cast<std::int32_t>(i));
  }
}

/// Slices by a number that they carry. Numbers count up with time, and are asked for in about that
/// order.
class IndexByNumber {
public:
  void add(std::int64_t number, std::size_t slice) {
    entries_.push_back({number, static_cast<std::int32_t>(slice)});
  }

  void finish() {
    sort_runs(entries_.begin(), entries_.end(),
              [](const Entry& a, const Entry& b) { return a.number < b.number; });
  }

  /// The first slice with it; kNone: there is none.
  std::int32_t find(std::int64_t number) {
    if (next_ == entries_.size() || entries_[next_].number != number ||
        (next_ > 0 && entries_[next_ - 1].number == number))
      next_ = static_cast<std::size_t>(std::lower_bound(entries_.begin(), entries_.end(), number,
                                                        [](const Entry& entry, std::int64_t key) {
                                                          return entry.number < key;
                                                        }) -
                                       entries_.begin());
    if (next_ == entries_.size() || entries_[next_].number != number) return TraceIndex::kNone;
    return entries_[next_++].slice;
  }

private:
  struct Entry {
    std::int64_t number;
    std::int32_t slice;
  };

  std::vector<Entry> entries_;
  std::size_t next_ = 0; ///< behind the last one that was found
};

void find_ops_of_calls(TraceIndex& index) {
  const auto& slices = index.trace.slices;
  for (std::size_t i = 0; i < slices.size(); ++i)
    if (slices[i].kind == job::SliceKind::runtime)
      index.op[i] = innermost_op(index, index.parent[i]);
}

/// Of GPU work, by correlation, with the call's operator. Whether some work has no operator by it.
bool find_launches(TraceIndex& index) {
  const auto& slices = index.trace.slices;
  IndexByNumber calls;
  for (std::size_t i = 0; i < slices.size(); ++i)
    if (slices[i].kind == job::SliceKind::runtime && slices[i].correlation != job::Slice::kNone)
      calls.add(slices[i].correlation, i);
  calls.finish();
  bool some_without = false;
  for (std::size_t i = 0; i < slices.size(); ++i) {
    if (!job::is_gpu_work(slices[i].kind)) continue;
    if (slices[i].correlation != job::Slice::kNone)
      index.launch[i] = calls.find(slices[i].correlation);
    if (index.launch[i] != TraceIndex::kNone)
      index.op[i] = index.op[static_cast<std::size_t>(index.launch[i])];
    some_without = some_without || index.op[i] == TraceIndex::kNone;
  }
  return some_without;
}

void find_ops_by_external_id(TraceIndex& index) {
  const auto& slices = index.trace.slices;
  IndexByNumber ops;
  for (std::size_t i = 0; i < slices.size(); ++i)
    if (slices[i].kind == job::SliceKind::op && slices[i].external != job::Slice::kNone)
      ops.add(slices[i].external, i);
  ops.finish();
  for (std::size_t i = 0; i < slices.size(); ++i)
    if (job::is_gpu_work(slices[i].kind) && index.op[i] == TraceIndex::kNone &&
        slices[i].external != job::Slice::kNone)
      index.op[i] = ops.find(slices[i].external);
}

} // namespace

TraceIndex::TraceIndex(const job::Trace& of)
    : trace(of)
    , parent(of.slices.size(), kNone)
    , launch(of.slices.size(), kNone)
    , op(of.slices.size(), kNone)
    , roles(of) {
  find_parents(trace, parent);
  find_ops_of_calls(*this);
  if (find_launches(*this)) find_ops_by_external_id(*this);
  roles.add_operators(op);
  TraceSteps found = find_steps(trace, parent);
  steps = std::move(found.list);
  step_source = found.source;
  place_steps(trace, launch, steps);
}

std::vector<TraceIndex> index_traces(const std::vector<job::Trace>& traces) {
  std::vector<std::optional<TraceIndex>> found(traces.size());
  parallel_for(traces.size(), [&](std::size_t i) { found[i].emplace(traces[i]); });
  std::vector<TraceIndex> indices;
  indices.reserve(found.size());
  for (auto& index : found)
    indices.push_back(std::move(*index));
  return indices;
}

bool is_collective_annotation(std::string_view annotation) {
  return annotation.starts_with("nccl:") || annotation.starts_with("gloo:") ||
         annotation.starts_with("mpi:") || annotation.starts_with("ucc:") ||
         annotation.starts_with("c10d::");
}

std::string squeezed_name(std::string_view name) {
  std::string out;
  for (const char letter : name)
    if (letter != '_') out += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return out;
}

namespace {

bool has_one_of(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != text.npos; });
}

bool names_collective(std::string_view squeezed) {
  return has_one_of(squeezed, {"allreduce", "allgather", "alltoall", "reducescatter",
                               "crossdevicereduce", "quickreduce"});
}

/// Without template arguments and parameters, which may name what a kernel does not do itself.
std::string_view function_part(std::string_view kernel) {
  constexpr std::string_view kAnonymous = "(anonymous namespace)";
  std::size_t from = 0;
  if (const std::size_t at = kernel.find(kAnonymous); at != kernel.npos)
    from = at + kAnonymous.size();
  return kernel.substr(0, kernel.find_first_of("<(", from));
}

} // namespace

bool is_communication_kernel(std::string_view kernel) {
  if (kernel.find("nccl") != kernel.npos || kernel.find("rccl") != kernel.npos) return true;
  const std::string name = squeezed_name(function_part(kernel));
  return names_collective(name) || has_one_of(name, {"msccl", "deepep", "nvshmem"});
}

bool is_collective_operator(std::string_view op) {
  const std::size_t space = op.find("::");
  if (space == op.npos) return false;
  const std::string_view library = op.substr(0, space);
  for (const std::string_view own :
       {"aten", "c10d", "c10d_functional", "_c10d_functional", "_c10d_functional_autograd", "fsdp",
        "autograd", "inductor", "record_param_comms"})
    if (library == own) return false;
  return names_collective(squeezed_name(op.substr(space)));
}

std::int32_t innermost_op(const TraceIndex& index, std::int32_t slice) {
  return innermost(index, slice, [&](std::int32_t around) {
    return slice_at(index, around).kind == job::SliceKind::op;
  });
}

std::int32_t outermost_cause(const TraceIndex& index, std::int32_t slice) {
  std::int32_t outermost = TraceIndex::kNone;
  for (; slice != TraceIndex::kNone; slice = parent_of(index, slice)) {
    const job::SliceKind kind = slice_at(index, slice).kind;
    if (kind == job::SliceKind::op ||
        (kind == job::SliceKind::annotation && !job::is_profiler_step(index.name(slice)) &&
         !engine_iteration(index.name(slice))))
      outermost = slice;
  }
  return outermost;
}

std::string_view name_or_empty(const TraceIndex& index, std::int32_t slice) {
  return slice == TraceIndex::kNone ? std::string_view{} : index.name(slice);
}

OpenSlices::OpenSlices(const TraceIndex& index)
    : index_(index) {
  const auto& slices = index.trace.slices;
  for (std::size_t i = 0; i < slices.size(); ++i)
    switch (slices[i].kind) {
    case job::SliceKind::op:
    case job::SliceKind::annotation:
    case job::SliceKind::module:
    case job::SliceKind::runtime:
      nesting_.push_back(static_cast<std::int32_t>(i));
      break;
    default:
      break;
    }
}

std::int32_t OpenSlices::at(std::int32_t track, Nanoseconds time) const {
  const auto after = [&](const std::pair<std::int32_t, Nanoseconds>& moment, std::int32_t index) {
    const job::Slice& slice = slice_at(index_, index);
    return moment < std::pair{slice.track, slice.start};
  };
  const auto next =
      std::upper_bound(nesting_.begin(), nesting_.end(), std::pair{track, time}, after);
  if (next == nesting_.begin()) return TraceIndex::kNone;
  const std::int32_t last = *std::prev(next);
  if (slice_at(index_, last).track != track) return TraceIndex::kNone;
  return innermost(index_, last,
                   [&](std::int32_t slice) { return slice_at(index_, slice).end() >= time; });
}

namespace {

Role annotation_role(std::string_view name) {
  if (job::is_data_loader(name)) return Role::data_loader;
  return is_collective_annotation(name) && !name.starts_with("nccl:") ? Role::communication
                                                                      : Role::none;
}

} // namespace

Roles::Roles(const job::Trace& trace)
    : trace_(trace)
    , kernels_(trace.names.size(), Role::none)
    , annotations_(trace.names.size(), Role::none) {
  std::vector<bool> seen(trace.names.size());
  for (const job::Slice& slice : trace.slices) {
    const auto name = static_cast<std::size_t>(slice.name);
    if (slice.kind == job::SliceKind::kernel && kernels_[name] == Role::none) {
      kernels_[name] =
          is_communication_kernel(trace.names[slice.name]) ? Role::communication : Role::kernel;
    } else if (slice.kind == job::SliceKind::annotation && !seen[name]) {
      seen[name] = true;
      annotations_[name] = annotation_role(trace.names[slice.name]);
    }
  }
}

void Roles::add_operators(std::span<const std::int32_t> op) {
  std::vector<bool> asked(trace_.names.size());
  std::vector<bool> collective(trace_.names.size());
  for (std::size_t i = 0; i < trace_.slices.size(); ++i) {
    if (trace_.slices[i].kind != job::SliceKind::kernel || op[i] == TraceIndex::kNone) continue;
    const job::StringTable::Id id = trace_.slices[static_cast<std::size_t>(op[i])].name;
    const auto name = static_cast<std::size_t>(id);
    if (!asked[name]) {
      asked[name] = true;
      collective[name] = is_collective_operator(trace_.names[id]);
    }
    if (!collective[name]) continue;
    if (by_operator_.empty()) by_operator_.resize(trace_.slices.size());
    by_operator_[i] = true;
  }
}

bool Roles::communicates(std::size_t kernel) const {
  const std::int32_t details = trace_.slices[kernel].details;
  return (details >= 0 && trace_.launches[static_cast<std::size_t>(details)].collective >= 0) ||
         (!by_operator_.empty() && by_operator_[kernel]);
}

Role Roles::of(std::size_t index) const {
  const job::Slice& slice = trace_.slices[index];
  const auto name = static_cast<std::size_t>(slice.name);
  switch (slice.kind) {
  case job::SliceKind::kernel:
    return communicates(index) ? Role::communication : kernels_[name];
  case job::SliceKind::memcpy:
    return Role::memcpy;
  case job::SliceKind::memset:
    return Role::memset;
  case job::SliceKind::runtime:
    return Role::runtime;
  case job::SliceKind::op:
    return Role::op;
  case job::SliceKind::annotation:
    return annotations_[name];
  case job::SliceKind::module:
  case job::SliceKind::overhead:
  case job::SliceKind::gpu_annotation:
  case job::SliceKind::gpu_wait:
    return Role::none;
  }
  return Role::none;
}

IntervalSet<Nanoseconds> profiled_time(const TraceIndex& index) {
  std::vector<TraceSpan> steps;
  steps.reserve(index.steps.size());
  for (const TraceStep& step : index.steps)
    steps.push_back({step.start, step.end});
  return to_set(std::move(steps));
}

IntervalSet<Nanoseconds> profiled_host_time(const TraceIndex& index) {
  std::vector<TraceSpan> steps;
  steps.reserve(index.steps.size());
  for (const TraceStep& step : index.steps)
    steps.push_back({step.host_start, step.host_end});
  return to_set(std::move(steps));
}

std::vector<TracedProcess> by_process(std::span<const TraceIndex> traces) {
  std::vector<TracedProcess> processes;
  std::map<std::string_view, std::size_t> places;
  for (const TraceIndex& index : traces) {
    const auto [place, is_new] = places.try_emplace(index.trace.process, processes.size());
    if (is_new) processes.push_back({index.trace.process, {}});
    processes[place->second].cycles.push_back(&index);
  }
  const auto start = [](const TraceIndex* index) {
    return index->steps.empty() ? Nanoseconds::max() : index->steps.front().start;
  };
  for (TracedProcess& process : processes)
    std::stable_sort(process.cycles.begin(), process.cycles.end(),
                     [&](const TraceIndex* a, const TraceIndex* b) { return start(a) < start(b); });
  std::stable_sort(
      processes.begin(), processes.end(),
      [](const TracedProcess& a, const TracedProcess& b) { return natural_less(a.name, b.name); });
  return processes;
}

} // namespace debrief::aggregate
