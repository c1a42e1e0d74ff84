#include "ingest/join_runs.h"

#include "ingest/choose_run.h"
#include "ingest/settle.h"
#include "ingest/trainer_states.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace debrief::ingest {

namespace {

using job::ScalarSeries;
using job::ScalarSource;

/// Of Lightning's versions, each a run of its own, the last.
void keep_last_version(std::vector<LoggedRun>& runs, job::ReadingReport& report) {
  constexpr ScalarSource kSource = ScalarSource::lightning_csv;
  const LoggedRun* last = nullptr;
  for (const LoggedRun& run : runs)
    if (run.source == kSource && (last == nullptr || natural_less(last->folder, run.folder)))
      last = &run;
  if (last == nullptr) return;
  const std::string kept = last->folder;
  std::erase_if(runs, [&](const LoggedRun& run) {
    if (run.source != kSource || run.folder == kept) return false;
    report.ignored.push_back(
        {run.folder, fmt::format("an earlier {}; the one in {} is used", to_string(kSource),
                                 kept.empty() ? "the job's folder" : kept)});
    job::ReadingReport::count(report.skipped,
                              "run of Lightning before the last; give its folder to report on it",
                              run.folder);
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

/// Sets what an earlier source has already apart: the Trainer's loss is in TensorBoard, too.
std::vector<ScalarSeries> take_repeated(std::vector<ScalarSeries>& all,
                                        job::ReadingReport& report) {
  std::map<std::string, ScalarSource> first; // who logged a scalar
  std::vector<ScalarSeries> kept;
  std::vector<ScalarSeries> repeated;
  for (ScalarSeries& series : all) {
    const auto [known, added] = first.try_emplace(job::scalar_key(series.name), series.source);
    if (added || known->second == series.source) {
      kept.push_back(std::move(series));
      continue;
    }
    report.ignored.push_back({fmt::format("{}, scalar {}", to_string(series.source), series.name),
                              "another tool logged it, too"});
    repeated.push_back(std::move(series));
  }
  all = std::move(kept);
  return repeated;
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

void join_runs(std::vector<LoggedRun> runs, const std::optional<std::string>& wanted, job::Job& job,
               std::vector<std::vector<SeriesPart>>& parts) {
  if (runs.empty() && !wanted) return;
  runs = chosen_runs(whole_runs(std::move(runs)), wanted, job.reading);
  keep_own_states(runs, job.reading);
  keep_last_version(runs, job.reading);
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
    settle(one, job.reading);
    if (one.size() > 0) job.scalars.push_back(std::move(one));
  }
  limit(job.scalars, job.reading);
  job.repeated_scalars = take_repeated(job.scalars, job.reading);
  std::stable_sort(job.scalars.begin(), job.scalars.end(),
                   [](const ScalarSeries& a, const ScalarSeries& b) {
                     return std::tie(a.run, a.name) < std::tie(b.run, b.name);
                   });
}

} // namespace debrief::ingest
