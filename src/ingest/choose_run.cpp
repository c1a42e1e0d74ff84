#include "ingest/choose_run.h"

#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <utility>

namespace debrief::ingest {

namespace {

using job::ScalarSource;

/// When it began; what does not say so is older than all that do.
Microseconds start_of(const LoggedRun& run) {
  return run.described.start.value_or(0);
}

/// Puts what a later file says over what is known. A text store has a file for each parameter: the
/// few are put into the many.
void put_over(std::map<std::string, std::string>& known, std::map<std::string, std::string> said) {
  if (said.size() > known.size()) {
    said.merge(known);
    known = std::move(said);
    return;
  }
  for (auto& [name, value] : said)
    known.insert_or_assign(name, std::move(value));
}

/// Adds what a later file has of the same run.
void absorb(LoggedRun& into, LoggedRun&& from) {
  if (into.id.empty()) into.id = std::move(from.id);
  if (!from.name.empty()) into.name = std::move(from.name);
  into.deleted = into.deleted || from.deleted;
  job::JobDescription& known = into.described;
  job::JobDescription& said = from.described;
  if (said.name) known.name = std::move(said.name);
  if (!known.start) known.start = said.start;
  if (said.end) known.end = said.end;
  if (said.status) known.status = std::move(said.status);
  if (said.instance_type) known.instance_type = std::move(said.instance_type);
  put_over(known.hyperparameters, std::move(said.hyperparameters));
  into.metrics.insert(into.metrics.end(), std::make_move_iterator(from.metrics.begin()),
                      std::make_move_iterator(from.metrics.end()));
  into.scalars.insert(into.scalars.end(), std::make_move_iterator(from.scalars.begin()),
                      std::make_move_iterator(from.scalars.end()));
  into.failures.insert(into.failures.end(), std::make_move_iterator(from.failures.begin()),
                       std::make_move_iterator(from.failures.end()));
}

[[noreturn]] void refuse_unknown(const std::string& wanted, const std::vector<LoggedRun>& runs) {
  constexpr std::size_t kMaxNamed = 5;
  std::set<std::string> names;
  for (const LoggedRun& run : runs)
    if (is_store(run.source)) names.insert(printable(label_of(run)));
  std::vector<std::string> shown(names.begin(), names.end());
  if (shown.empty())
    throw Error(fmt::format("--run {}: this job has no W&B or MLflow run to choose from",
                            printable(wanted)));
  if (shown.size() > kMaxNamed) {
    const std::size_t more = shown.size() - kMaxNamed;
    shown.resize(kMaxNamed);
    shown.push_back(fmt::format("{} more", more));
  }
  throw Error(fmt::format("--run {}: there is no such run; there are {}", printable(wanted),
                          fmt::join(shown, ", ")));
}

void leave_out(const LoggedRun& run, const char* reason, bool asked, job::ReadingReport& report) {
  std::string place = run.folder.empty() ? label_of(run) : run.folder + "/" + label_of(run);
  report.ignored.push_back({place, reason});
  if (!asked)
    job::ReadingReport::count(
        report.skipped, "run that is left out (--run NAME chooses one, --each reports on all)",
        place);
}

/// Of each store the run that counts; null where none does.
std::map<ScalarSource, const LoggedRun*> best_runs(const std::vector<LoggedRun>& runs,
                                                   const std::optional<std::string>& wanted) {
  const LoggedRun* main = nullptr;
  for (const LoggedRun& run : runs) {
    if (!is_store(run.source)) continue;
    if (wanted && run.name != *wanted && run.id != *wanted) continue;
    if (main == nullptr || start_of(run) > start_of(*main)) main = &run;
  }
  std::map<ScalarSource, const LoggedRun*> best;
  if (main == nullptr) return best;
  best[main->source] = main;
  const auto span = span_of(*main);
  std::map<ScalarSource, Microseconds> shared;
  for (const LoggedRun& run : runs) {
    if (!is_store(run.source) || run.source == main->source) continue;
    const Microseconds both = shared_time(span, span_of(run));
    const auto [most, added] = shared.try_emplace(run.source, both);
    if (both < 0 || (!added && both <= most->second)) continue;
    most->second = both;
    best[run.source] = &run;
  }
  return best;
}

} // namespace

bool is_store(ScalarSource source) {
  return source == ScalarSource::wandb || source == ScalarSource::mlflow;
}

std::string label_of(const LoggedRun& run) {
  if (!run.name.empty()) return run.name;
  return run.id.empty() ? run.folder : run.id;
}

std::optional<TimeSpan> span_of(const LoggedRun& run) {
  std::optional<TimeSpan> span;
  const auto widen = [&](Microseconds time) {
    if (!span) span = TimeSpan{time, time};
    span->first = std::min(span->first, time);
    span->last = std::max(span->last, time);
  };
  if (run.described.start) widen(*run.described.start);
  if (run.described.end) widen(*run.described.end);
  for (const job::ScalarSeries& series : run.scalars)
    for (const Microseconds time : series.times)
      widen(time);
  for (const SeriesPart& part : run.metrics)
    for (const Microseconds time : part.columns.times)
      widen(time);
  return span;
}

Microseconds shared_time(const std::optional<TimeSpan>& a, const std::optional<TimeSpan>& b) {
  if (!a || !b) return -1;
  return std::min(a->last, b->last) - std::max(a->first, b->first);
}

std::vector<LoggedRun> whole_runs(std::vector<LoggedRun> runs) {
  // A metric's file does not say whose it is; the meta.yaml of its folder does.
  std::map<std::string, std::string> ids;
  for (const LoggedRun& run : runs)
    if (run.source == ScalarSource::mlflow && !run.id.empty()) ids.try_emplace(run.folder, run.id);
  for (LoggedRun& run : runs)
    if (run.source == ScalarSource::mlflow && run.id.empty())
      if (const auto known = ids.find(run.folder); known != ids.end()) run.id = known->second;
  std::stable_sort(runs.begin(), runs.end(), [](const LoggedRun& a, const LoggedRun& b) {
    return std::pair{a.source, is_store(a.source) ? start_of(a) : 0} <
           std::pair{b.source, is_store(b.source) ? start_of(b) : 0};
  });
  std::map<std::pair<ScalarSource, std::string>, std::size_t> places;
  std::vector<LoggedRun> out;
  for (LoggedRun& run : runs) {
    if (!is_store(run.source)) {
      out.push_back(std::move(run));
      continue;
    }
    const auto [place, added] =
        places.try_emplace({run.source, run.id.empty() ? run.folder : run.id}, out.size());
    if (added)
      out.push_back(std::move(run));
    else
      absorb(out[place->second], std::move(run));
  }
  return out;
}

std::vector<LoggedRun> chosen_runs(std::vector<LoggedRun> runs,
                                   const std::optional<std::string>& wanted,
                                   job::ReadingReport& report) {
  const bool asked = wanted.has_value();
  std::erase_if(runs, [&](const LoggedRun& run) {
    const bool drop = is_store(run.source) && run.deleted;
    if (drop) leave_out(run, "a deleted run", asked, report);
    return drop;
  });
  const auto best = best_runs(runs, wanted);
  if (wanted && best.empty()) refuse_unknown(*wanted, runs);
  std::vector<LoggedRun> out;
  for (LoggedRun& run : runs) {
    const auto store = best.find(run.source);
    if (!is_store(run.source) || (store != best.end() && store->second == &run))
      out.push_back(std::move(run));
    else
      leave_out(run, "another run; --run NAME chooses it, --each reports on all", asked, report);
  }
  return out;
}

} // namespace debrief::ingest
