#include "ingest/settle.h"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <vector>

namespace debrief::ingest {

namespace {

using job::ReadingReport;
using job::ScalarSeries;

/// Rows of a series that are kept so far, at its front.
class KeptRows {
public:
  explicit KeptRows(ScalarSeries& series)
      : series_(series) {}

  bool is_beyond(std::int64_t step) const { return count_ > 0 && series_.steps[count_ - 1] > step; }

  bool is_at(std::int64_t step) const { return count_ > 0 && series_.steps[count_ - 1] == step; }

  void drop_last() { --count_; }

  std::int64_t last_step() const { return series_.steps[count_ - 1]; }

  void keep(std::size_t row) {
    series_.steps[count_] = series_.steps[row];
    series_.values[count_] = series_.values[row];
    if (series_.has_times()) series_.times[count_] = series_.times[row];
    ++count_;
  }

  void cut() {
    series_.steps.resize(count_);
    series_.values.resize(count_);
    if (series_.has_times()) series_.times.resize(count_);
  }

private:
  ScalarSeries& series_;
  std::size_t count_ = 0;
};

/// MLflow and TensorBoard write 0 where a script gives no step.
bool is_without_steps(const ScalarSeries& series) {
  return series.size() > 2 && std::all_of(series.steps.begin(), series.steps.end(),
                                          [](std::int64_t step) { return step == 0; });
}

} // namespace

void settle(ScalarSeries& series, ReadingReport& report) {
  const std::vector<std::int64_t>& steps = series.steps;
  if (std::adjacent_find(steps.begin(), steps.end(), std::greater_equal<>{}) == steps.end()) return;
  const std::string where = series.run.empty() ? series.name : series.run + "/" + series.name;
  if (is_without_steps(series)) {
    std::iota(series.steps.begin(), series.steps.end(), std::int64_t{0});
    return ReadingReport::count(report.repaired, "value without a step: numbered as it was logged",
                                where, series.size());
  }
  KeptRows kept{series};
  std::vector<std::int64_t> dropped; // steps that an attempt had reached when another one began
  std::uint64_t replaced = 0;
  std::uint64_t alone = 0;
  for (std::size_t row = 0; row < series.size(); ++row) {
    const std::int64_t step = steps[row];
    if (kept.is_beyond(step) && (row + 1 == steps.size() || steps[row + 1] < step)) {
      ++alone;
      continue;
    }
    while (kept.is_beyond(step)) {
      dropped.push_back(kept.last_step());
      kept.drop_last();
    }
    if (kept.is_at(step)) {
      ++replaced;
      kept.drop_last();
    }
    kept.keep(row);
  }
  const std::int64_t last = kept.last_step();
  const auto lost = static_cast<std::uint64_t>(std::count_if(
      dropped.begin(), dropped.end(), [&](std::int64_t step) { return step > last; }));
  replaced += dropped.size() - lost;
  kept.cut();
  if (replaced > 0)
    ReadingReport::count(report.repaired, "logged value that a later attempt logged again", where,
                         replaced);
  if (lost > 0)
    ReadingReport::count(report.skipped,
                         "logged value of an attempt that got further than the last", where, lost);
  if (alone > 0)
    ReadingReport::count(report.skipped, "logged value that goes back to an earlier step alone",
                         where, alone);
}

} // namespace debrief::ingest
