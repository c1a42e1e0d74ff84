#include "ingest/join_runs.h"

#include "ingest/choose_run.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace debrief::ingest {

namespace {

using job::ScalarSeries;
using job::ScalarSource;

/// Of several states of one trainer (a checkpoint has the history up to its step), the last; of
/// Lightning's versions, too.
void keep_newest(ScalarSource source, std::vector<LoggedRun>& runs, job::ReadingReport& report) {
  const LoggedRun* newest = nullptr;
  const auto rank = [](const LoggedRun& run) {
    return std::tuple{run.totals.steps.value_or(0), run.folder.size(), run.folder};
  };
  for (const LoggedRun& run : runs) {
    if (run.source != source) continue;
    const bool later = newest == nullptr || (source == ScalarSource::lightning_csv
                                                 ? natural_less(newest->folder, run.folder)
                                                 : rank(*newest) < rank(run));
    if (later) newest = &run;
  }
  if (newest == nullptr) return;
  const std::string kept = newest->folder;
  std::erase_if(runs, [&](const LoggedRun& run) {
    if (run.source != source || run.folder == kept) return false;
    report.ignored.push_back(
        {run.folder, fmt::format("an earlier {}; the one in {} is used", to_string(source),
                                 kept.empty() ? "the job's folder" : kept)});
    return true;
  });
}

void append(ScalarSeries& to, ScalarSeries&& from) {
  // Columns stay of equal length: where one part has no times, the whole has none.
  if (to.size() > 0 && to.has_times() != from.has_times()) {
    to.times.clear();
    from.times.clear();
  }
  to.steps.insert(to.steps.end(), from.steps.begin(), from.steps.end());
  to.times.insert(to.times.end(), from.times.begin(), from.times.end());
  to.values.insert(to.values.end(), from.values.begin(), from.values.end());
}

using SeriesKey = std::tuple<ScalarSource, std::string, std::string>; // source, run, name

/// Parts of one series in several files (TensorBoard starts a file per attempt), in the order of
/// the files.
std::map<SeriesKey, ScalarSeries> gathered(std::vector<LoggedRun>& runs) {
  std::map<SeriesKey, ScalarSeries> out;
  for (LoggedRun& run : runs)
    for (ScalarSeries& series : run.scalars) {
      ScalarSeries& whole = out[SeriesKey{run.source, run.folder, series.name}];
      if (whole.size() == 0) {
        whole = std::move(series);
        whole.source = run.source;
        whole.run = run.folder;
      } else {
        append(whole, std::move(series));
      }
    }
  return out;
}

/// Drops what an earlier source has already: the Trainer's loss is in TensorBoard, too.
void drop_repeated(std::vector<ScalarSeries>& all, job::ReadingReport& report) {
  std::map<std::string, ScalarSource> first; // who logged a scalar
  std::vector<bool> repeated;
  for (const ScalarSeries& series : all) {
    const auto [known, added] = first.try_emplace(job::scalar_key(series.name), series.source);
    repeated.push_back(!added && known->second != series.source);
  }
  std::vector<ScalarSeries> kept;
  for (std::size_t at = 0; at < all.size(); ++at) {
    if (!repeated[at]) {
      kept.push_back(std::move(all[at]));
      continue;
    }
    report.ignored.push_back({fmt::format("{}, scalar {}", to_string(all[at].source), all[at].name),
                              "another tool logged it, too"});
  }
  all = std::move(kept);
}

template <typename Value>
void fill(std::optional<Value>& into, const std::optional<Value>& from) {
  if (!into) into = from;
}

void fill_description(job::JobDescription& into, const job::JobDescription& from) {
  fill(into.name, from.name);
  fill(into.start, from.start);
  fill(into.end, from.end);
  fill(into.status, from.status);
  fill(into.instance_type, from.instance_type);
  fill(into.framework, from.framework);
  into.hyperparameters.insert(from.hyperparameters.begin(), from.hyperparameters.end());
}

void fill_totals(job::TrainingTotals& into, const job::TrainingTotals& from) {
  fill(into.runtime, from.runtime);
  fill(into.evaluation_runtime, from.evaluation_runtime);
  fill(into.evaluations, from.evaluations);
  fill(into.samples_per_second, from.samples_per_second);
  fill(into.tokens_per_second, from.tokens_per_second);
  fill(into.total_flos, from.total_flos);
  fill(into.steps, from.steps);
  fill(into.batch_size, from.batch_size);
}

/// A job has a few hundred; what a broken script makes up has no bound.
constexpr std::size_t kMaxScalars = 2000;

void limit(std::vector<ScalarSeries>& all, job::ReadingReport& report) {
  if (all.size() <= kMaxScalars) return;
  for (std::size_t at = kMaxScalars; at < all.size(); ++at)
    job::ReadingReport::count(report.skipped,
                              fmt::format("value of a scalar beyond the first {}", kMaxScalars),
                              all[at].name, all[at].size());
  all.resize(kMaxScalars);
}

} // namespace

void settle(ScalarSeries& series) {
  if (std::adjacent_find(series.steps.begin(), series.steps.end(), std::greater_equal<>{}) ==
      series.steps.end())
    return;
  const bool timed = series.has_times();
  std::size_t kept = 0;
  for (std::size_t row = 0; row < series.size(); ++row) {
    while (kept > 0 && series.steps[kept - 1] >= series.steps[row])
      --kept;
    series.steps[kept] = series.steps[row];
    series.values[kept] = series.values[row];
    if (timed) series.times[kept] = series.times[row];
    ++kept;
  }
  series.steps.resize(kept);
  series.values.resize(kept);
  if (timed) series.times.resize(kept);
}

void join_runs(std::vector<LoggedRun> runs, const std::optional<std::string>& wanted, job::Job& job,
               std::vector<std::vector<SeriesPart>>& parts) {
  if (runs.empty() && !wanted) return;
  runs = chosen_runs(whole_runs(std::move(runs)), wanted, job.reading);
  keep_newest(ScalarSource::trainer_state, runs, job.reading);
  keep_newest(ScalarSource::lightning_csv, runs, job.reading);
  // By source first, so that what a better one says is filled in first.
  std::stable_sort(runs.begin(), runs.end(),
                   [](const LoggedRun& a, const LoggedRun& b) { return a.source < b.source; });
  for (LoggedRun& run : runs) {
    fill_description(job.description, run.described);
    fill_totals(job.training, run.totals);
    if (!run.metrics.empty()) parts.push_back(std::move(run.metrics));
    std::move(run.failures.begin(), run.failures.end(), std::back_inserter(job.failures));
  }
  auto series = gathered(runs);
  for (auto& [key, one] : series) {
    settle(one);
    if (one.size() > 0) job.scalars.push_back(std::move(one));
  }
  limit(job.scalars, job.reading);
  drop_repeated(job.scalars, job.reading);
  std::stable_sort(job.scalars.begin(), job.scalars.end(),
                   [](const ScalarSeries& a, const ScalarSeries& b) {
                     return std::tie(a.run, a.name) < std::tie(b.run, b.name);
                   });
}

} // namespace debrief::ingest
