#include "aggregate/data_loading.h"

#include "aggregate/statistics.h"
#include "util/interval_set.h"

#include <algorithm>
#include <array>
#include <map>
#include <numeric>

namespace debrief::aggregate {

namespace {

template <typename Wanted>
std::vector<double> durations(const job::EventTable& events, const EventKinds& kinds,
                              const Wanted& wanted) {
  std::vector<double> found;
  for (std::size_t row = 0; row < events.size(); ++row)
    if (wanted(kinds.of(row))) found.push_back(in_seconds(events.duration[row]));
  return found;
}

/// Whether the recorder saw all loading of its process: traces have a few steps, and waits only,
/// not the workers behind them.
bool is_whole(const job::EventTable& events, std::size_t row) {
  return events.timeline_of(row).kind != job::TimelineKind::pytorch_profiler;
}

/// From one call for the next batch to the following one, per process: how long a batch takes in
/// all.
std::vector<double> batch_durations(const job::EventTable& events, const EventKinds& kinds) {
  std::map<std::int32_t, std::vector<Microseconds>> starts; // by timeline
  for (std::size_t row = 0; row < events.size(); ++row) {
    if (kinds.of(row) != EventKind::loader_next || !is_whole(events, row)) continue;
    const auto track = static_cast<std::size_t>(events.track[row]);
    starts[events.tracks[track].timeline].push_back(events.start[row]);
  }
  std::vector<double> found;
  for (auto& [timeline, moments] : starts) {
    std::sort(moments.begin(), moments.end());
    for (std::size_t i = 1; i < moments.size(); ++i)
      if (moments[i] > moments[i - 1]) found.push_back(in_seconds(moments[i] - moments[i - 1]));
  }
  return found;
}

void add_times(result::LoadKind what, std::vector<double> values, result::DataLoading& loading) {
  if (values.empty()) return;
  result::LoadTimes times;
  times.what = what;
  times.count = static_cast<std::int64_t>(values.size());
  times.mean =
      std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  times.histogram = histogram(values, kDurationBins);
  constexpr std::array kShares = {0.0, 0.25, 0.5, 0.95, 1.0};
  const auto found = quantiles(values, kShares);
  times.min = found[0];
  times.p25 = found[1];
  times.p50 = found[2];
  times.p95 = found[3];
  times.max = found[4];
  times.outliers = std::count_if(values.begin(), values.end(),
                                 [&](double value) { return value > kSlowLoadFactor * times.p50; });
  loading.times.push_back(std::move(times));
}

/// The worker or process that an event of loading belongs to.
using LoaderId = std::pair<std::int32_t, std::int64_t>; // timeline; worker, process or -1

struct LoaderSpans {
  std::map<LoaderId, std::vector<TimeSpan>> workers;
  std::map<LoaderId, std::vector<TimeSpan>> processes; ///< that wait for the next batch
};

LoaderSpans loader_spans(const job::EventTable& events, const EventKinds& kinds) {
  LoaderSpans spans;
  const std::string node = loading_node(events, kinds);
  auto detail = events.details.begin();
  for (std::size_t row = 0; row < events.size(); ++row) {
    const EventKind work = kinds.of(row);
    if (work != EventKind::loader_worker && work != EventKind::loader_next) continue;
    if (!is_whole(events, row)) continue;
    const job::Track& track = events.tracks[static_cast<std::size_t>(events.track[row])];
    const job::Timeline& timeline = events.timelines[static_cast<std::size_t>(track.timeline)];
    if (!timeline.clock_known || timeline.node != node) continue;
    const auto index = static_cast<std::int64_t>(row);
    while (detail != events.details.end() && detail->row < index)
      ++detail;
    std::optional<std::int64_t> worker;
    if (detail != events.details.end() && detail->row == index) worker = detail->worker_id;
    const Microseconds start = events.start[row];
    const TimeSpan span{start, start + events.duration[row]};
    if (work == EventKind::loader_worker)
      spans.workers[{track.timeline, worker.value_or(track.pid.value_or(-1))}].push_back(span);
    else
      spans.processes[{track.timeline, track.pid.value_or(-1)}].push_back(span);
  }
  return spans;
}

/// Empty where nothing was loaded.
std::string source_of(const job::EventTable& events, const EventKinds& kinds) {
  bool traced = false;
  for (std::size_t row = 0; row < events.size(); ++row) {
    const EventKind work = kinds.of(row);
    if (work != EventKind::loader_setup && work != EventKind::loader_worker &&
        work != EventKind::loader_next)
      continue;
    if (is_whole(events, row)) return result::kFromTimelines;
    traced = true;
  }
  return traced ? result::kFromTraces : "";
}

/// By how much the number of active loaders changes at a second.
using Changes = std::map<std::int64_t, std::int64_t>;

Changes changes_of(const std::map<LoaderId, std::vector<TimeSpan>>& loaders) {
  Changes changes;
  for (const auto& [id, spans] : loaders) {
    // Spans that touch the same second make the loader active in it once.
    std::vector<TimeSpan> seconds;
    for (const TimeSpan& span : spans)
      seconds.push_back({span.first / kSecond, span.last / kSecond});
    for (const TimeSpan& span : merged(std::move(seconds))) {
      ++changes[span.first];
      --changes[span.last + 1];
    }
  }
  return changes;
}

} // namespace

std::string loading_node(const job::EventTable& events, const EventKinds& kinds) {
  std::map<std::string, std::int64_t> loads;
  for (std::size_t row = 0; row < events.size(); ++row) {
    const EventKind work = kinds.of(row);
    if (work == EventKind::loader_worker || work == EventKind::loader_next)
      ++loads[events.timeline_of(row).node];
  }
  const auto most = std::max_element(
      loads.begin(), loads.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == loads.end() ? "" : most->first;
}

std::vector<LoadersRun> loaders_per_second(const job::EventTable& events, const EventKinds& kinds) {
  const LoaderSpans spans = loader_spans(events, kinds);
  std::vector<LoadersRun> runs;
  std::int64_t active = 0;
  std::int64_t since = 0;
  for (const auto& [second, change] :
       changes_of(spans.workers.empty() ? spans.processes : spans.workers)) {
    if (active > 0 && change != 0) runs.push_back({since, second - 1, active});
    if (change != 0) since = second;
    active += change;
  }
  return runs;
}

std::optional<std::int64_t> median_loaders(const SecondsByLoaders& seconds) {
  std::int64_t all = 0;
  for (const auto& [loaders, count] : seconds)
    all += count;
  if (all == 0) return std::nullopt;
  const auto at = [&](std::int64_t rank) {
    for (const auto& [loaders, count] : seconds)
      if ((rank -= count) < 0) return loaders;
    return seconds.rbegin()->first;
  };
  return (at((all - 1) / 2) + at(all / 2)) / 2;
}

std::vector<double> load_durations(const job::EventTable& events, const EventKinds& kinds) {
  return durations(events, kinds, [](EventKind work) {
    return work == EventKind::loader_worker || work == EventKind::loader_next;
  });
}

result::DataLoading data_loading(const job::EventTable& events, const EventKinds& kinds,
                                 std::optional<std::int64_t> cores) {
  result::DataLoading loading;
  bool same_size = true;
  for (const job::EventDetails& details : events.details) {
    if (kinds.of(static_cast<std::size_t>(details.row)) != EventKind::loader_setup) continue;
    if (details.batch_size) {
      same_size =
          same_size && loading.batch_size.value_or(*details.batch_size) == *details.batch_size;
      loading.batch_size = details.batch_size;
    }
    if (details.num_workers) loading.num_workers = details.num_workers;
    if (details.pin_memory) loading.pin_memory = details.pin_memory;
  }
  if (!same_size) loading.batch_size.reset();
  const auto only = [&](EventKind wanted) {
    return durations(events, kinds, [&](EventKind work) { return work == wanted; });
  };
  std::vector<double> setups = only(EventKind::loader_setup);
  loading.source = source_of(events, kinds);
  if (loading.source != result::kFromTraces)
    loading.initializations = static_cast<std::int64_t>(setups.size());
  add_times(result::LoadKind::load, load_durations(events, kinds), loading);
  add_times(result::LoadKind::get_next, only(EventKind::loader_next), loading);
  add_times(result::LoadKind::worker, only(EventKind::loader_worker), loading);
  add_times(result::LoadKind::batch, batch_durations(events, kinds), loading);
  add_times(result::LoadKind::initialize, std::move(setups), loading);
  if (loading.times.empty()) return loading;
  loading.cores = cores;
  SecondsByLoaders seconds;
  for (const LoadersRun& run : loaders_per_second(events, kinds))
    seconds[run.loaders] += run.last - run.first + 1;
  loading.loaders = median_loaders(seconds);
  return loading;
}

} // namespace debrief::aggregate
