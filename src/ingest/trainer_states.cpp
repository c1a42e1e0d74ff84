#include "ingest/trainer_states.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>
#include <tuple>
#include <utility>

namespace debrief::ingest {

namespace {

using job::ScalarSeries;

/// Each is compared with all that are kept.
constexpr std::size_t kMostStates = 16;

bool same_value(double a, double b) {
  return a == b || (std::isnan(a) && std::isnan(b));
}

/// Whether all rows of `part` are in `whole`, in the same order.
bool is_part(const ScalarSeries& part, const ScalarSeries& whole) {
  std::size_t at = 0;
  for (std::size_t row = 0; row < part.size(); ++row, ++at) {
    while (at < whole.size() &&
           !(whole.steps[at] == part.steps[row] && same_value(whole.values[at], part.values[row])))
      ++at;
    if (at == whole.size()) return false;
  }
  return true;
}

/// A state, with its series by name.
class State {
public:
  explicit State(LoggedRun run)
      : run_(std::move(run)) {
    for (const ScalarSeries& series : run_.scalars)
      series_.emplace(series.name, &series);
  }

  bool has_all_of(const LoggedRun& other) const {
    return std::all_of(other.scalars.begin(), other.scalars.end(), [&](const ScalarSeries& series) {
      const auto own = series_.find(series.name);
      return own != series_.end() && is_part(series, *own->second);
    });
  }

  const std::string& folder() const { return run_.folder; }

  LoggedRun take() { return std::move(run_); }

private:
  LoggedRun run_;
  std::map<std::string_view, const ScalarSeries*> series_;
};

} // namespace

void keep_own_states(std::vector<LoggedRun>& runs, job::ReadingReport& report) {
  const auto first = std::stable_partition(runs.begin(), runs.end(), [](const LoggedRun& run) {
    return run.source != job::ScalarSource::trainer_state;
  });
  std::vector<LoggedRun> states{std::make_move_iterator(first),
                                std::make_move_iterator(runs.end())};
  runs.erase(first, runs.end());
  const auto rank = [](const LoggedRun& run) {
    return std::tuple{run.totals.steps.value_or(0), run.folder.size(), run.folder};
  };
  std::stable_sort(states.begin(), states.end(),
                   [&](const LoggedRun& a, const LoggedRun& b) { return rank(a) > rank(b); });
  std::vector<State> kept;
  for (LoggedRun& state : states) {
    const auto whole = std::find_if(kept.begin(), kept.end(),
                                    [&](const State& other) { return other.has_all_of(state); });
    if (whole != kept.end())
      report.ignored.push_back(
          {state.folder,
           fmt::format("an earlier {}; the one in {} is used", to_string(state.source),
                       whole->folder().empty() ? "the job's folder" : whole->folder())});
    else if (kept.size() < kMostStates)
      kept.emplace_back(std::move(state));
    else
      job::ReadingReport::count(
          report.skipped, fmt::format("trainer state beyond the first {} that differ", kMostStates),
          state.folder);
  }
  for (State& state : kept)
    runs.push_back(state.take());
}

} // namespace debrief::ingest
