#include "aggregate/steps.h"

#include "aggregate/statistics.h"
#include "job/metrics.h"
#include "result/framework.h"
#include "util/parallel.h"
#include "util/sort_runs.h"
#include "util/text.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

namespace debrief::aggregate {

namespace {

int rank_of_mode(std::string_view mode) {
  if (mode == result::kTrainMode) return 0;
  return mode == result::kEvalMode ? 1 : 2;
}

bool comes_before(const StepSeries& a, const StepSeries& b) {
  if (a.process != b.process) return natural_less(a.process, b.process);
  return mode_less(a.mode, b.mode);
}

struct Spread {
  double mean = 0;
  double stddev = 0;
};

/// Of the steps after the first.
Spread spread_after_first(const std::vector<Step>& steps) {
  const auto count = static_cast<double>(steps.size() - 1);
  double sum = 0; // of whole microseconds: exact, so that steps of one length have it as their mean
  for (std::size_t i = 1; i < steps.size(); ++i)
    sum += static_cast<double>(steps[i].span.length());
  Spread spread;
  spread.mean = sum / count / 1e6;
  double squares = 0;
  for (std::size_t i = 1; i < steps.size(); ++i)
    squares += std::pow(steps[i].seconds() - spread.mean, 2);
  spread.stddev = std::sqrt(squares / count);
  return spread;
}

/// The longest first, so that the list that is cut keeps those that cost most.
std::vector<result::OutlyingStep> list_outliers(const StepSeries& series,
                                                std::vector<std::size_t> outlying) {
  std::stable_sort(outlying.begin(), outlying.end(), [&](std::size_t a, std::size_t b) {
    return series.steps[a].span.length() > series.steps[b].span.length();
  });
  if (outlying.size() > result::kMaxOutliers) outlying.resize(result::kMaxOutliers);
  std::vector<result::OutlyingStep> list;
  for (const std::size_t index : outlying) {
    const Step& step = series.steps[index];
    list.push_back({step.number, step.clock_known ? std::optional{step.span.first} : std::nullopt,
                    step.seconds()});
  }
  return list;
}

/// Of the steps after the first, in the order of time; of few steps the steps themselves.
std::vector<double> block_medians(std::span<const double> seconds) {
  if (seconds.size() <= result::kStepsPerBlock * result::kMinBlocks)
    return {seconds.begin(), seconds.end()};
  seconds = seconds.subspan(1);
  const std::size_t blocks = std::min(seconds.size() / result::kStepsPerBlock, result::kMaxBlocks);
  std::vector<double> medians;
  for (std::size_t block = 0; block < blocks; ++block) {
    const std::size_t begin = block * seconds.size() / blocks;
    const std::size_t end = (block + 1) * seconds.size() / blocks;
    medians.push_back(five_numbers({seconds.begin() + static_cast<std::ptrdiff_t>(begin),
                                    seconds.begin() + static_cast<std::ptrdiff_t>(end)})
                          .p50);
  }
  return medians;
}

} // namespace

bool mode_less(std::string_view a, std::string_view b) {
  const int rank = rank_of_mode(a);
  const int other = rank_of_mode(b);
  return rank != other ? rank < other : a < b;
}

namespace {

void add_traced_steps(std::span<const TraceIndex> traces, std::vector<StepSeries>& all) {
  std::map<std::string_view, std::size_t> places; // of processes
  for (const TraceIndex& index : traces) {
    if (index.steps.empty() || !index.steps.front().number) continue;
    const job::Trace& trace = index.trace;
    const auto [place, is_new] = places.try_emplace(trace.process, all.size());
    if (is_new) all.push_back({trace.process, trace.node, std::string{result::kProfiledMode}, {}});
    for (const TraceStep& step : index.steps)
      all[place->second].steps.push_back({{to_microseconds(step.start), to_microseconds(step.end)},
                                          step.number,
                                          trace.clock_known});
  }
}

using StepKey = std::pair<std::int32_t, std::int32_t>; ///< timeline and phase

/// Steps of one timeline and phase, of some rows.
struct FoundSteps {
  StepKey key;
  std::size_t first_row = 0;
  std::vector<Step> steps;
};

/// In the order of their first rows.
std::vector<FoundSteps> steps_within(const job::EventTable& events, const EventKinds& kinds,
                                     bool traced, std::size_t begin, std::size_t end) {
  std::vector<FoundSteps> found;
  std::map<StepKey, std::size_t> places;
  std::optional<std::size_t> last; // of `found`
  for (std::size_t row = begin; row < end; ++row) {
    if (kinds.of(row) != EventKind::step) continue;
    const job::Timeline& timeline = events.timeline_of(row);
    if (traced && timeline.kind == job::TimelineKind::pytorch_profiler)
      continue; // its traces know when it ran
    const auto track = static_cast<std::size_t>(events.track[row]);
    const StepKey key{events.tracks[track].timeline, events.phase[row]};
    if (!last || found[*last].key != key) {
      const auto [place, is_new] = places.try_emplace(key, found.size());
      if (is_new) found.push_back({key, row, {}});
      last = place->second;
    }
    const Microseconds start = events.start[row];
    found[*last].steps.push_back(
        {{start, start + events.duration[row]}, events.step_of(row), timeline.clock_known});
  }
  return found;
}

/// Steps of all series that have one name are one: of which rows they come.
struct NamedSeries {
  StepSeries series;
  std::vector<const FoundSteps*> parts; ///< in the order of rows
};

std::vector<NamedSeries> by_name(const job::EventTable& events,
                                 std::span<const std::vector<FoundSteps>> pieces) {
  std::vector<NamedSeries> all;
  std::map<StepKey, std::size_t> ids;
  std::map<std::pair<std::string, std::string>, std::size_t> names;
  std::set<std::string> modes;
  const auto place_of = [&](const FoundSteps& found) {
    if (const auto known = ids.find(found.key); known != ids.end()) return known->second;
    const job::Timeline& timeline = events.timeline_of(found.first_row);
    std::string mode{job::mode_of(events.phase_of(found.first_row))};
    if (modes.size() >= kMaxModes && !modes.contains(mode)) mode = "other modes";
    modes.insert(mode);
    const auto [named, added] = names.try_emplace({process_name(timeline), mode}, all.size());
    if (added) all.push_back({{process_name(timeline), timeline.node, mode, {}}, {}});
    return ids.emplace(found.key, named->second).first->second;
  };
  for (const std::vector<FoundSteps>& piece : pieces)
    for (const FoundSteps& found : piece)
      all[place_of(found)].parts.push_back(&found);
  return all;
}

} // namespace

std::vector<StepSeries> step_series(const job::EventTable& events, const EventKinds& kinds,
                                    std::span<const TraceIndex> traces) {
  const std::vector<std::vector<FoundSteps>> pieces =
      parallel_pieces(events.size(), [&](std::size_t begin, std::size_t end) {
        return steps_within(events, kinds, !traces.empty(), begin, end);
      });
  std::vector<NamedSeries> named = by_name(events, pieces);
  std::vector<StepSeries> all(named.size());
  parallel_for(all.size(), [&](std::size_t i) {
    all[i] = std::move(named[i].series);
    for (const FoundSteps* const part : named[i].parts)
      all[i].steps.insert(all[i].steps.end(), part->steps.begin(), part->steps.end());
  });
  if (all.empty()) add_traced_steps(traces, all);
  parallel_for(all.size(), [&](std::size_t i) {
    sort_runs(all[i].steps.begin(), all[i].steps.end(), [](const Step& a, const Step& b) {
      return a.clock_known != b.clock_known ? a.clock_known : a.span.first < b.span.first;
    });
  });
  std::sort(all.begin(), all.end(), comes_before);
  return all;
}

std::optional<StepOutliers> find_outliers(const StepSeries& series, double factor) {
  if (series.steps.size() <= kStepsForOutliers) return std::nullopt;
  const Spread spread = spread_after_first(series.steps);
  StepOutliers found;
  found.stddev = spread.stddev;
  found.threshold = spread.mean + factor * spread.stddev;
  for (std::size_t i = 1; i < series.steps.size(); ++i)
    if (series.steps[i].seconds() > found.threshold) found.outlying.push_back(i);
  return found;
}

result::StepRow step_row(const StepSeries& series, double factor) {
  std::vector<double> seconds;
  seconds.reserve(series.steps.size());
  for (const Step& step : series.steps)
    seconds.push_back(step.seconds());

  result::StepRow row;
  row.process = series.process;
  row.mode = series.mode;
  row.source = series.mode == result::kProfiledMode ? result::kFromTraces : result::kFromTimelines;
  row.count = static_cast<std::int64_t>(seconds.size());
  row.total = std::accumulate(seconds.begin(), seconds.end(), 0.0);
  row.mean = *row.total / static_cast<double>(seconds.size());
  row.first = seconds.front();
  if (seconds.size() > 2) row.stddev = spread_after_first(series.steps).stddev;
  if (const auto found = find_outliers(series, factor)) {
    row.threshold = found->threshold;
    row.outliers = static_cast<std::int64_t>(found->outlying.size());
    row.outlying = list_outliers(series, found->outlying);
  }
  row.block_medians = block_medians(seconds);
  const FiveNumbers numbers = five_numbers(seconds);
  row.max = numbers.max;
  row.p99 = numbers.p99;
  row.p95 = numbers.p95;
  row.p50 = numbers.p50;
  row.min = numbers.min;
  if (row.threshold) std::erase_if(seconds, [&](double value) { return value > *row.threshold; });
  row.histogram = histogram(seconds, kDurationBins);
  return row;
}

} // namespace debrief::aggregate
