#include "rules/model/tensor_pass.h"

#include <algorithm>

namespace debrief::rules::model {

namespace {

using Watches = std::span<const std::unique_ptr<TensorWatch>>;

/// What watches that keep values may hold of one step, in bytes on disk.
constexpr std::uint64_t kMostKept = std::uint64_t{64} * 1024 * 1024;

/// The largest record of each tensor, in bytes.
std::vector<std::uint64_t> largest_records(const job::TensorTable& table) {
  std::vector<std::uint64_t> largest(table.names.size());
  for (const job::TensorRecord& record : table.records)
    largest[record.tensor] = std::max<std::uint64_t>(largest[record.tensor], record.length);
  return largest;
}

/// In which pass over the steps a watch that keeps values sees each tensor: as many in one as may
/// be kept at once.
std::vector<std::uint32_t> passes_of(const job::TensorTable& table) {
  const std::vector<std::uint64_t> largest = largest_records(table);
  std::vector<std::uint32_t> pass(largest.size());
  std::uint64_t kept = 0;
  std::uint32_t current = 0;
  for (std::size_t i = 0; i < largest.size(); ++i) {
    if (kept > 0 && kept + largest[i] > kMostKept) {
      ++current;
      kept = 0;
    }
    kept += largest[i];
    pass[i] = current;
  }
  return pass;
}

/// Who wants which tensor in one pass.
class Audience {
public:
  Audience(std::size_t tensors, Watches watches, std::span<const std::uint32_t> pass_of,
           std::uint32_t pass)
      : by_tensor_(tensors) {
    for (const auto& watch : watches) {
      bool listens = false;
      for (const std::uint32_t tensor : watch->wanted()) {
        if (watch->keeps_values() ? pass_of[tensor] != pass : pass != 0) continue;
        by_tensor_[tensor].push_back(watch.get());
        listens = true;
      }
      if (listens) all_.push_back(watch.get());
    }
  }

  bool empty() const { return all_.empty(); }

  bool wants(std::uint32_t tensor) const {
    return std::any_of(by_tensor_[tensor].begin(), by_tensor_[tensor].end(),
                       [](const TensorWatch* watch) { return !watch->done(); });
  }

  void show(const SeenTensor& seen) const {
    for (TensorWatch* watch : by_tensor_[seen.tensor])
      if (!watch->done()) watch->see(seen);
  }

  void end_step(const job::TensorStep& step) const {
    for (TensorWatch* watch : all_)
      if (!watch->done()) watch->end_step(step);
  }

private:
  std::vector<std::vector<TensorWatch*>> by_tensor_;
  std::vector<TensorWatch*> all_;
};

/// Shows the steps' tensors; buffers last for all steps.
class StepShow {
public:
  StepShow(const job::TensorTable& table, const Audience& audience, job::Troubles& lost)
      : table_(table)
      , audience_(audience)
      , lost_(lost) {}

  void show(const job::TensorStep& step) {
    choose(step);
    if (wanted_.empty()) return;
    table_.source->load(
        step, wanted_,
        [&](std::size_t i, const job::TensorData& data) { take(step, wanted_[i].record, data); },
        lost_);
    for (Reduced& reduced : reduced_)
      if (reduced.any)
        audience_.show(
            {reduced.tensor, table_.names[reduced.tensor], step, nullptr, reduced.values});
    audience_.end_step(step);
  }

private:
  struct Reduced {
    std::uint32_t tensor = 0;
    bool any = false;
    Reductions values;
  };

  /// Records that somebody wants; reductions only where the tensor itself was not saved.
  void choose(const job::TensorStep& step) {
    wanted_.clear();
    reduced_.clear();
    const auto records = table_.records_of(step);
    for (std::size_t i = 0; i < records.size();) {
      const std::uint32_t tensor = records[i].tensor;
      std::size_t end = i + 1;
      while (end < records.size() && records[end].tensor == tensor)
        ++end;
      if (audience_.wants(tensor)) {
        const bool whole = records[i].kind() == job::Reduction::none;
        if (!whole) reduced_.push_back({tensor, false, {}});
        for (std::size_t record = i; record < (whole ? i + 1 : end); ++record)
          wanted_.push_back({records[record], table_.names[tensor]});
      }
      i = end;
    }
  }

  void take(const job::TensorStep& step, const job::TensorRecord& record,
            const job::TensorData& data) {
    if (record.kind() == job::Reduction::none) {
      static const Reductions none{};
      audience_.show({record.tensor, table_.names[record.tensor], step, &data, none});
      return;
    }
    if (!data.numeric || data.values.size() != 1) return;
    const auto found =
        std::lower_bound(reduced_.begin(), reduced_.end(), record.tensor + 0U,
                         [](const Reduced& a, std::uint32_t tensor) { return a.tensor < tensor; });
    found->any = true;
    found->values[record.reduction] = data.values.front();
  }

  const job::TensorTable& table_;
  const Audience& audience_;
  job::Troubles& lost_;
  std::vector<job::TensorSource::Wanted> wanted_;
  std::vector<Reduced> reduced_; ///< by tensor
};

} // namespace

void show_tensors(const job::TensorTable& table, std::uint32_t worker, Watches watches,
                  job::Troubles& lost) {
  const std::vector<std::uint32_t> pass_of = passes_of(table);
  const std::uint32_t passes = pass_of.empty() ? 0 : pass_of.back() + 1;
  for (std::uint32_t pass = 0; pass < passes; ++pass) {
    const Audience audience{table.names.size(), watches, pass_of, pass};
    if (audience.empty()) continue;
    StepShow show{table, audience, lost};
    for (const job::TensorStep& step : table.steps)
      if (step.worker == worker) show.show(step);
  }
  for (const auto& watch : watches)
    watch->finish();
}

} // namespace debrief::rules::model
