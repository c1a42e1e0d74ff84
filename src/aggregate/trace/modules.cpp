#include "aggregate/trace/figures.h"
#include "aggregate/trace/index.h"
#include "util/interval_set.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace debrief::aggregate {

namespace {

struct ModulesSums {
  std::int64_t calls = 0;
  Nanoseconds host_total{};
  Nanoseconds host_self{};
  Nanoseconds device_total{};
  Nanoseconds device_self{};
};

using ModulesSumsByName = std::map<std::string_view, ModulesSums>;

std::string_view module_name(std::string_view slice) {
  constexpr std::string_view kPrefix = "nn.Module: ";
  return slice.starts_with(kPrefix) ? slice.substr(kPrefix.size()) : slice;
}

class Modules {
public:
  Modules(const TraceIndex& index, ModulesSumsByName& sums)
      : index_(index)
      , sums_(sums)
      , launched_(index.trace.slices.size()) {}

  void add() {
    const auto& slices = index_.trace.slices;
    for (std::size_t i = 0; i < slices.size(); ++i)
      if (job::is_gpu_work(slices[i].kind) && index_.launch[i] != TraceIndex::kNone)
        add_work(slices[i], index_.launch[i]);
    for (std::size_t i = slices.size(); i-- > 0;) // what holds a slice comes before it
      if (index_.parent[i] != TraceIndex::kNone)
        launched_[static_cast<std::size_t>(index_.parent[i])] += launched_[i];
    for (std::size_t i = 0; i < slices.size(); ++i)
      if (slices[i].kind == job::SliceKind::module) add_module(static_cast<std::int32_t>(i));
  }

private:
  std::int32_t module_around(std::int32_t slice) const {
    return innermost(index_, slice, [&](std::int32_t around) {
      return slice_at(index_, around).kind == job::SliceKind::module;
    });
  }

  void add_module(std::int32_t module) {
    const Nanoseconds duration = slice_at(index_, module).duration;
    const std::string_view name = index_.name(module);
    ModulesSums& sums = sums_[module_name(name)];
    ++sums.calls;
    sums.host_self += duration;
    std::int32_t around = module_around(parent_of(index_, module));
    if (around != TraceIndex::kNone) sums_[module_name(index_.name(around))].host_self -= duration;
    for (; around != TraceIndex::kNone; around = module_around(parent_of(index_, around)))
      if (index_.name(around) == name) return; // it is in that one's total
    sums.host_total += duration;
    sums.device_total += launched_[static_cast<std::size_t>(module)];
  }

  void add_work(const job::Slice& work, std::int32_t launch) {
    const std::int32_t around = module_around(launch);
    if (around == TraceIndex::kNone) return;
    sums_[module_name(index_.name(around))].device_self += work.duration;
    launched_[static_cast<std::size_t>(around)] += work.duration;
  }

  const TraceIndex& index_;
  ModulesSumsByName& sums_;
  std::vector<Nanoseconds> launched_; ///< by slice: the GPU work of a module and those inside of it
};

} // namespace

std::vector<result::ModuleRow> module_rows(std::span<const TraceIndex> traces) {
  ModulesSumsByName sums;
  for (const TraceIndex& index : traces)
    Modules{index, sums}.add();
  std::vector<result::ModuleRow> rows;
  for (const auto& [name, sum] : sums)
    rows.push_back({std::string{name}, sum.calls, in_microseconds(sum.host_total),
                    in_microseconds(sum.host_self), in_microseconds(sum.device_total),
                    in_microseconds(sum.device_self)});
  std::stable_sort(
      rows.begin(), rows.end(), [](const result::ModuleRow& a, const result::ModuleRow& b) {
        return a.device_self_us != b.device_self_us ? a.device_self_us > b.device_self_us
                                                    : a.host_self_us > b.host_self_us;
      });
  if (rows.size() > result::kMaxModules) rows.resize(result::kMaxModules);
  return rows;
}

} // namespace debrief::aggregate
