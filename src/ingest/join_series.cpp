#include "ingest/join_series.h"

#include "ingest/limit_series.h"
#include "util/parallel.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace debrief::ingest {

namespace {

struct Dropped {
  std::uint64_t repeated = 0;    ///< same moment, same value
  std::uint64_t conflicting = 0; ///< same moment, another value
};

job::SeriesBuilder concatenate(std::vector<SeriesPart*>& parts) {
  if (parts.size() == 1) return std::move(parts.front()->columns);
  // Files are named by their start, so this order is mostly the order of time already.
  std::stable_sort(parts.begin(), parts.end(), [](const SeriesPart* a, const SeriesPart* b) {
    return a->columns.times.front() < b->columns.times.front();
  });
  std::size_t total = 0;
  for (const SeriesPart* part : parts)
    total += part->columns.times.size();
  job::SeriesBuilder all;
  all.times.reserve(total);
  all.values.reserve(total);
  for (SeriesPart* part : parts) {
    all.times.insert(all.times.end(), part->columns.times.begin(), part->columns.times.end());
    all.values.insert(all.values.end(), part->columns.values.begin(), part->columns.values.end());
    part->columns = {}; // the memory is needed for the next series
  }
  return all;
}

void sort_by_time(job::SeriesBuilder& columns) {
  if (std::is_sorted(columns.times.begin(), columns.times.end())) return;
  std::vector<std::size_t> order(columns.times.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return columns.times[a] < columns.times[b];
  });
  job::SeriesBuilder sorted;
  sorted.times.reserve(order.size());
  sorted.values.reserve(order.size());
  for (const std::size_t i : order) {
    sorted.times.push_back(columns.times[i]);
    sorted.values.push_back(columns.values[i]);
  }
  columns = std::move(sorted);
}

/// Keeps the first value of each moment.
Dropped drop_repeated(job::SeriesBuilder& columns) {
  Dropped dropped;
  std::size_t kept = 0;
  for (std::size_t i = 0; i < columns.times.size(); ++i) {
    if (kept > 0 && columns.times[i] == columns.times[kept - 1]) {
      ++(columns.values[i] == columns.values[kept - 1] ? dropped.repeated : dropped.conflicting);
      continue;
    }
    columns.times[kept] = columns.times[i];
    columns.values[kept++] = columns.values[i];
  }
  columns.times.resize(kept);
  columns.values.resize(kept);
  return dropped;
}

/// A core or a GPU has a name; what has lost it belongs to none of them.
bool lost_its_device(const SeriesPart& part) {
  return part.name.name.empty() && job::classify(part.name) != job::Metric::other;
}

/// Cores of a node are sampled together: neighbors with equal times keep one array of them.
void share_times(std::vector<job::MetricSeries>& series) {
  for (std::size_t i = 1; i < series.size(); ++i) {
    const auto before = series[i - 1].time_span();
    const auto own = series[i].time_span();
    if (std::equal(before.begin(), before.end(), own.begin(), own.end()))
      series[i].times = series[i - 1].times;
  }
}

} // namespace

std::vector<job::MetricSeries> join_series(std::vector<SeriesPart> parts,
                                           job::ReadingReport& report) {
  std::map<std::pair<std::string, job::MetricName>, std::vector<SeriesPart*>> by_series;
  for (SeriesPart& part : parts) {
    if (part.columns.times.empty()) continue;
    if (lost_its_device(part))
      job::ReadingReport::count(report.skipped, "sample of a core or a GPU without its Name",
                                part.node, part.columns.times.size());
    else
      by_series[{part.node, part.name}].push_back(&part);
  }

  std::vector<std::pair<const std::pair<std::string, job::MetricName>*, std::vector<SeriesPart*>*>>
      work;
  work.reserve(by_series.size());
  for (auto& [key, its_parts] : by_series)
    work.emplace_back(&key, &its_parts);

  std::vector<job::MetricSeries> series(work.size());
  std::vector<Dropped> dropped(work.size());
  parallel_for(work.size(), [&](std::size_t i) {
    job::SeriesBuilder columns = concatenate(*work[i].second);
    sort_by_time(columns);
    dropped[i] = drop_repeated(columns);
    series[i] = job::make_series(work[i].first->first, work[i].first->second, std::move(columns));
  });

  for (std::size_t i = 0; i < work.size(); ++i) {
    const std::string where = work[i].first->first + ", " + work[i].first->second.name;
    if (dropped[i].repeated > 0)
      job::ReadingReport::count(report.repaired, "repeated sample dropped", where,
                                dropped[i].repeated);
    if (dropped[i].conflicting > 0)
      job::ReadingReport::count(report.repaired, "second value for one moment dropped", where,
                                dropped[i].conflicting);
  }
  std::sort(series.begin(), series.end(), job::series_less);
  share_times(series);
  limit_series(series, report);
  return series;
}

} // namespace debrief::ingest
