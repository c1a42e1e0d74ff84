#include "aggregate/gpu_peaks.h"
#include "aggregate/trace/categories.h"
#include "aggregate/trace/figures.h"
#include "aggregate/trace/kernel_names.h"
#include "aggregate/trace/operator_work.h"
#include "util/parallel.h"
#include "util/seeded_hash.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

namespace debrief::aggregate {

namespace {

/// Calls of one operator with the same inputs on the same GPU.
struct WorkEntry {
  OperatorWork work;
  WorkKind kind = WorkKind::plain;
  std::int64_t calls = 0;
  Nanoseconds time{};
  Nanoseconds in_tf32{}; ///< of it, in kernels that say so
  CategorySums categories;

  void add(const WorkEntry& other) {
    calls += other.calls;
    time += other.time;
    in_tf32 += other.in_tf32;
    categories.add(other.categories);
  }

  /// fp32 is multiplied as tf32 where kernels do.
  std::string_view precision() const {
    return work.precision == "fp32" && 2 * in_tf32 > time ? "tf32" : work.precision;
  }
};

/// Operator, shapes, types, values and GPU: ids differ between traces, texts do not.
using WorkKey = std::array<std::string_view, 5>;

/// What GPU time is not in an entry.
struct Unknown {
  Nanoseconds without_shapes{};
  Nanoseconds without_formula{};
  Nanoseconds outside{};
};

/// The GPU that a trace's work ran on: the first one that its tracks name.
const job::GpuProperties* gpu_of_trace(const job::Trace& trace) {
  for (const job::TraceTrack& track : trace.tracks)
    for (const job::GpuProperties& gpu : trace.gpus)
      if (track.gpu && gpu.id == track.process) return &gpu;
  return nullptr;
}

std::int64_t gpus_at_work(const TraceIndex& index) {
  std::set<std::int64_t> gpus;
  for (const job::TraceTrack& track : index.trace.tracks)
    if (track.gpu) gpus.insert(track.process);
  return std::max<std::int64_t>(std::ssize(gpus), 1);
}

/// One trace.
class WorkFinder {
public:
  explicit WorkFinder(const TraceIndex& index)
      : index_(index)
      , trace_(index.trace)
      , categories_(index)
      , matrix_times_(index.steps.size()) {
    if (std::none_of(trace_.slices.begin(), trace_.slices.end(),
                     [](const job::Slice& slice) { return job::is_gpu_work(slice.kind); }))
      return;
    formulas_.resize(trace_.names.size());
    call_of_.resize(trace_.slices.size(), kNotAsked);
    place_.resize(trace_.slices.size(), TraceIndex::kNone);
    take_work();
    drop_outer_calls();
    take_calls();
  }

  const std::vector<WorkEntry>& entries() const { return entries_; }

  const Unknown& unknown() const { return unknown_; }

  WorkKey key(std::size_t entry) const {
    const job::Slice& call = slice_at(index_, first_call_[entry]);
    const job::InputArgs& inputs = trace_.inputs[static_cast<std::size_t>(call.details)];
    const job::GpuProperties* gpu = gpu_of_trace(trace_);
    return {trace_.names[call.name], text(inputs.dims), text(inputs.types), text(inputs.concrete),
            gpu == nullptr ? std::string_view{} : std::string_view{gpu->name}};
  }

  std::vector<result::StepFlops> steps(const GpuPeak* peak) const;

private:
  static constexpr std::int32_t kNotAsked = -2;

  struct NamedFormula {
    bool asked = false;
    WorkFormula formula;
  };

  /// What an operator's call launched.
  struct Call {
    std::int32_t slice = TraceIndex::kNone;
    const TraceStep* step = nullptr; ///< that launched it; null: none
    Nanoseconds time{};
    Nanoseconds matrix_time{}; ///< of it, in products, attention and convolutions
    std::int32_t entry = TraceIndex::kNone;
    bool dropped = false;
  };

  std::string_view text(job::StringTable::Id id) const {
    return id < 0 ? std::string_view{} : trace_.names[id];
  }

  const WorkFormula& formula_of(const job::Slice& op) {
    NamedFormula& named = formulas_[static_cast<std::size_t>(op.name)];
    if (!named.asked) named = {true, work_formula(trace_.names[op.name])};
    return named.formula;
  }

  /// `op` or the innermost operator around it that has a formula.
  std::int32_t call_around(std::int32_t op) {
    std::int32_t& known = call_of_[static_cast<std::size_t>(op)];
    if (known == kNotAsked)
      known = innermost(index_, op, [&](std::int32_t around) {
        const job::Slice& slice = slice_at(index_, around);
        return slice.kind == job::SliceKind::op && formula_of(slice);
      });
    return known;
  }

  void take_work();
  void drop_outer_calls();
  void take_calls();
  std::int32_t entry_of(const job::Slice& call, std::int32_t at);
  bool is_tf32(const job::Slice& kernel);
  const TraceStep* step_of(std::size_t work) const;

  const TraceIndex& index_;
  const job::Trace& trace_;
  WorkCategories categories_;
  std::vector<NamedFormula> formulas_; ///< by name
  std::vector<std::int32_t> call_of_;  ///< by operator
  std::vector<std::int32_t> place_;    ///< by operator: in calls_
  std::vector<Call> calls_;            ///< that launched work
  std::vector<WorkEntry> entries_;
  std::vector<std::int32_t> first_call_;                                  ///< by entry
  std::unordered_map<std::uint64_t, std::int32_t, SeededHash> entry_ids_; ///< by name and inputs
  std::map<job::StringTable::Id, bool> tf32_;                             ///< by kernel's name
  std::vector<Nanoseconds> matrix_times_; ///< by step: of all GPU work that it launched
  Unknown unknown_;
};

/// The entry of calls with this name and these inputs; kNone where they tell nothing.
std::int32_t WorkFinder::entry_of(const job::Slice& call, std::int32_t at) {
  const auto id = static_cast<std::uint64_t>(static_cast<std::uint32_t>(call.name)) << 32U |
                  static_cast<std::uint32_t>(call.details);
  const auto [found, added] = entry_ids_.try_emplace(id, TraceIndex::kNone);
  if (!added) return found->second;
  const job::InputArgs& inputs = trace_.inputs[static_cast<std::size_t>(call.details)];
  const auto parsed = parse_inputs(text(inputs.dims), text(inputs.types), text(inputs.concrete));
  if (!parsed) return TraceIndex::kNone;
  const WorkFormula& formula = formula_of(call);
  const OperatorWork work = formula(*parsed);
  if (work.empty()) return TraceIndex::kNone;
  found->second = static_cast<std::int32_t>(entries_.size());
  WorkEntry& entry = entries_.emplace_back();
  entry.work = work;
  entry.kind = formula.kind();
  first_call_.push_back(at);
  return found->second;
}

bool WorkFinder::is_tf32(const job::Slice& kernel) {
  if (kernel.kind != job::SliceKind::kernel) return false;
  const auto [found, added] = tf32_.try_emplace(kernel.name);
  if (added) found->second = kernel_precision(trace_.names[kernel.name]) == "tf32";
  return found->second;
}

/// The step that launched the work; null: none, or its launch is not recorded.
const TraceStep* WorkFinder::step_of(std::size_t work) const {
  const std::int32_t asked =
      index_.launch[work] != TraceIndex::kNone ? index_.launch[work] : index_.op[work];
  return asked == TraceIndex::kNone ? nullptr
                                    : step_at(index_.steps, slice_at(index_, asked).start);
}

bool multiplies_matrices(result::WorkCategory category) {
  return category == result::WorkCategory::gemm || category == result::WorkCategory::attention ||
         category == result::WorkCategory::convolution;
}

bool is_between_host_and_gpu(const job::Slice& work, std::string_view name) {
  return work.kind == job::SliceKind::memcpy && name.find("DtoD") == name.npos;
}

void WorkFinder::take_work() {
  for (std::size_t i = 0; i < trace_.slices.size(); ++i) {
    const job::Slice& work = trace_.slices[i];
    if (!job::is_gpu_work(work.kind)) continue;
    const result::WorkCategory category = categories_.of(i);
    const bool matrices = multiplies_matrices(category);
    const TraceStep* step = matrices ? step_of(i) : nullptr;
    if (step != nullptr)
      matrix_times_[static_cast<std::size_t>(step - index_.steps.data())] += work.duration;
    if (index_.op[i] == TraceIndex::kNone) {
      unknown_.outside += work.duration;
      continue;
    }
    const std::int32_t at = call_around(index_.op[i]);
    if (at == TraceIndex::kNone || category == result::WorkCategory::communication) {
      unknown_.without_formula += work.duration;
      continue;
    }
    const job::Slice& call = slice_at(index_, at);
    const bool recorded = call.details >= 0 &&
                          trace_.inputs[static_cast<std::size_t>(call.details)].dims >= 0 &&
                          trace_.inputs[static_cast<std::size_t>(call.details)].types >= 0;
    if (!recorded) {
      unknown_.without_shapes += work.duration;
      continue;
    }
    std::int32_t& place = place_[static_cast<std::size_t>(at)];
    if (place == TraceIndex::kNone) {
      place = static_cast<std::int32_t>(calls_.size());
      calls_.emplace_back().slice = at;
    }
    Call& of = calls_[static_cast<std::size_t>(place)];
    of.time += work.duration;
    if (matrices) of.matrix_time += work.duration;
    if (step != nullptr) of.step = step;
    of.entry = entry_of(call, at);
    of.dropped = of.dropped || of.entry == TraceIndex::kNone ||
                 is_between_host_and_gpu(work, trace_.names[work.name]);
    if (of.entry == TraceIndex::kNone) continue;
    WorkEntry& entry = entries_[static_cast<std::size_t>(of.entry)];
    entry.categories.add(category, work.duration);
    if (entry.work.precision == "fp32" && is_tf32(work)) entry.in_tf32 += work.duration;
  }
}

/// What calls another operator of its kind, and launches something beside it, would count the same
/// work again.
void WorkFinder::drop_outer_calls() {
  for (const Call& call : calls_) {
    const WorkKind kind = formula_of(slice_at(index_, call.slice)).kind();
    if (kind == WorkKind::plain) continue;
    for (std::int32_t around = parent_of(index_, call.slice); around != TraceIndex::kNone;
         around = parent_of(index_, around)) {
      const std::int32_t place = place_[static_cast<std::size_t>(around)];
      if (place != TraceIndex::kNone && formula_of(slice_at(index_, around)).kind() == kind)
        calls_[static_cast<std::size_t>(place)].dropped = true;
    }
  }
}

void WorkFinder::take_calls() {
  for (const Call& call : calls_) {
    if (call.dropped) {
      unknown_.without_formula += call.time;
      continue;
    }
    WorkEntry& entry = entries_[static_cast<std::size_t>(call.entry)];
    ++entry.calls;
    entry.time += call.time;
  }
}

/// In percent; nothing where it cannot be: data out of caches comes faster than memory gives it.
std::optional<double> percent_of_peak(std::optional<double> rate, std::optional<double> peak) {
  if (!rate || !peak || *rate > *peak) return std::nullopt;
  return 100 * *rate / *peak;
}

std::vector<result::StepFlops> WorkFinder::steps(const GpuPeak* peak) const {
  struct OfStep {
    double flops = 0;
    Nanoseconds known{};
    std::map<std::string_view, double> by_precision;
  };

  std::vector<OfStep> found(index_.steps.size());
  for (const Call& call : calls_) {
    if (call.dropped) continue;
    const WorkEntry& entry = entries_[static_cast<std::size_t>(call.entry)];
    if (entry.kind != WorkKind::matrices || !entry.work.flops) continue;
    if (call.step == nullptr) continue;
    OfStep& of = found[static_cast<std::size_t>(call.step - index_.steps.data())];
    of.known += call.matrix_time;
    of.flops += *entry.work.flops;
    of.by_precision[entry.precision()] += *entry.work.flops;
  }
  std::vector<result::StepFlops> out;
  for (std::size_t at = 0; at < found.size(); ++at) {
    const OfStep& of = found[at];
    if (of.flops <= 0) continue;
    const TraceStep& step = index_.steps[at];
    result::StepFlops& row = out.emplace_back();
    row.process = trace_.process;
    row.number = step.number;
    row.us = in_microseconds(step.length());
    row.flops = of.flops;
    row.precision =
        std::max_element(of.by_precision.begin(), of.by_precision.end(),
                         [](const auto& a, const auto& b) { return a.second < b.second; })
            ->first;
    row.gpus = gpus_at_work(index_);
    if (matrix_times_[at] > Nanoseconds{})
      row.known_percent = std::min(100 * quotient(of.known, matrix_times_[at]), 100.0);
    const auto tflops = peak == nullptr ? std::nullopt : peak->of(row.precision);
    if (tflops && row.us > 0 && row.known_percent >= result::kKnownEnough)
      row.utilization =
          percent_of_peak(of.flops / (row.us * 1e6), *tflops * static_cast<double>(row.gpus));
  }
  return out;
}

/// Entries of all traces.
using WorkTable = std::map<WorkKey, WorkEntry>;

using PeaksByGpu = std::map<std::string_view, const GpuPeak*>;

result::OperatorPerformance performance_row(const WorkKey& key, const WorkEntry& entry,
                                            const GpuPeak* peak) {
  result::OperatorPerformance row;
  row.name = key[0];
  row.shapes = readable_shapes(key[1]);
  row.gpu = key[4];
  row.category = entry.categories.most().value_or(result::WorkCategory::other);
  row.precision = entry.precision();
  row.calls = entry.calls;
  row.us = in_microseconds(entry.time);
  row.product = entry.work.product;
  row.flops = entry.work.flops;
  row.bytes = entry.work.bytes;
  const double seconds = row.us / static_cast<double>(row.calls) / 1e6;
  const bool computes = row.flops.value_or(0) > 0;
  if (seconds <= 0) return row;
  if (computes) row.tflops_per_second = *row.flops / seconds / 1e12;
  if (row.bytes && *row.bytes > 0) row.tb_per_second = *row.bytes / seconds / 1e12;
  if (computes && row.bytes && *row.bytes > 0) row.intensity = *row.flops / *row.bytes;
  if (peak == nullptr) return row;
  row.bandwidth_percent = percent_of_peak(row.tb_per_second, peak->tb_per_second);
  if (entry.kind != WorkKind::matrices) {
    if (row.tb_per_second) row.roof = result::Roof::memory;
    return row;
  }
  const auto compute = peak->of(row.precision);
  row.peak_percent = percent_of_peak(row.tflops_per_second, compute);
  if (row.intensity && compute)
    row.roof = *row.intensity * peak->tb_per_second >= *compute ? result::Roof::compute
                                                                : result::Roof::memory;
  return row;
}

result::GpuPeaks peaks_of(std::string_view gpu, const GpuPeak* peak) {
  result::GpuPeaks out;
  out.gpu = gpu;
  if (peak == nullptr) return out;
  out.model = peak->model;
  out.tb_per_second = peak->tb_per_second;
  for (const std::string_view precision : kPeakPrecisions)
    if (const auto tflops = peak->of(precision))
      out.compute.push_back({std::string{precision}, *tflops});
  return out;
}

/// Of all steps together; nothing where one of them is not known.
std::optional<double> utilization_of(const std::vector<result::StepFlops>& steps) {
  double used = 0;
  double time = 0;
  for (const result::StepFlops& step : steps) {
    if (!step.utilization) return std::nullopt;
    const double weight = step.us * static_cast<double>(step.gpus);
    used += *step.utilization * weight;
    time += weight;
  }
  return time > 0 ? std::optional{used / time} : std::nullopt;
}

} // namespace

result::Performance operator_performance(std::span<const TraceIndex> indices) {
  result::Performance out;
  WorkTable table;
  PeaksByGpu peaks;
  Unknown unknown;
  const auto take = [&](const WorkFinder& finder, std::size_t at) {
    unknown.without_shapes += finder.unknown().without_shapes;
    unknown.without_formula += finder.unknown().without_formula;
    unknown.outside += finder.unknown().outside;
    for (std::size_t i = 0; i < finder.entries().size(); ++i) {
      const WorkEntry& entry = finder.entries()[i];
      if (entry.calls == 0) continue;
      const auto [found, added] = table.try_emplace(finder.key(i), entry);
      if (!added) found->second.add(entry);
    }
    const job::GpuProperties* gpu = gpu_of_trace(indices[at].trace);
    const GpuPeak* peak = gpu == nullptr ? nullptr : find_gpu_peak(gpu->name, gpu->memory);
    if (gpu != nullptr) peaks.try_emplace(gpu->name, peak);
    for (result::StepFlops& step : finder.steps(peak))
      out.steps.push_back(std::move(step));
  };
  parallel_in_order(
      indices.size(), [&](std::size_t i) { return WorkFinder{indices[i]}; }, take);
  for (const auto& [gpu, peak] : peaks)
    out.gpus.push_back(peaks_of(gpu, peak));
  Nanoseconds known{};
  std::vector<WorkTable::const_iterator> order;
  for (auto entry = table.cbegin(); entry != table.cend(); ++entry) {
    known += entry->second.time;
    order.push_back(entry);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return a->second.time > b->second.time; });
  out.combinations = std::ssize(order);
  if (order.size() > result::kMaxTraceRows) order.resize(result::kMaxTraceRows);
  const Nanoseconds all =
      known + unknown.without_shapes + unknown.without_formula + unknown.outside;
  for (const auto& entry : order) {
    const auto& [key, sums] = *entry;
    const auto peak = peaks.find(key[4]);
    out.rows.push_back(performance_row(key, sums, peak == peaks.end() ? nullptr : peak->second));
    if (all > Nanoseconds{}) out.rows.back().percent = 100 * quotient(sums.time, all);
  }
  out.known_us = in_microseconds(known);
  out.without_shapes_us = in_microseconds(unknown.without_shapes);
  out.without_formula_us = in_microseconds(unknown.without_formula);
  out.outside_us = in_microseconds(unknown.outside);
  out.utilization = utilization_of(out.steps);
  return out;
}

} // namespace debrief::aggregate
