#include "ingest/join_series.h"

#include "ingest/limit_series.h"
#include "util/parallel.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <string_view>
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
    part->is_joined = true;
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
  std::vector<char> as_before(series.size());
  parallel_for(series.size(), [&](std::size_t i) {
    if (i == 0) return;
    const auto before = series[i - 1].time_span();
    const auto own = series[i].time_span();
    as_before[i] = std::equal(before.begin(), before.end(), own.begin(), own.end()) ? 1 : 0;
  });
  for (std::size_t i = 1; i < series.size(); ++i)
    if (as_before[i] != 0) series[i].times = series[i - 1].times;
}

/// A series of which files have parts.
struct SeriesParts {
  const std::string* node = nullptr;
  const job::MetricName* name = nullptr;
  std::vector<SeriesPart*> parts;
};

/// Finds the series that a part belongs to. Files have their series in the same order, so the one
/// that followed last time is compared first.
class PartsBySeries {
public:
  void add(SeriesPart& part) {
    const std::size_t guess = last_ == kNone ? kNone : followers_[last_];
    if (guess == kNone || *series_[guess].node != part.node || *series_[guess].name != part.name) {
      const std::size_t found = look_up(part);
      if (last_ != kNone) followers_[last_] = found;
      last_ = found;
    } else {
      last_ = guess;
    }
    series_[last_].parts.push_back(&part);
  }

  /// By node and name.
  std::vector<SeriesParts> take() && {
    std::vector<SeriesParts> out;
    out.reserve(series_.size());
    for (const auto& [key, place] : places_)
      out.push_back(std::move(series_[place]));
    return out;
  }

private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  /// Of the first part; they stay where they are until all are joined.
  using Key = std::pair<std::string_view, std::reference_wrapper<const job::MetricName>>;

  struct InOrder {
    bool operator()(const Key& a, const Key& b) const {
      return a.first != b.first ? a.first < b.first : a.second.get() < b.second.get();
    }
  };

  std::size_t look_up(const SeriesPart& part) {
    const auto [found, is_new] = places_.try_emplace({part.node, part.name}, series_.size());
    if (is_new) {
      series_.push_back({&part.node, &part.name, {}});
      followers_.push_back(kNone);
    }
    return found->second;
  }

  std::vector<SeriesParts> series_;
  std::vector<std::size_t> followers_; ///< which series came after this one last time
  std::size_t last_ = kNone;
  std::map<Key, std::size_t, InOrder> places_;
};

/// Gives back the samples that are in series by now: their memory is needed for the next ones. It
/// is done file by file, since what a file holds lies in the heap of the thread that read it: going
/// by series, all threads would wait for all heaps.
void free_joined(std::vector<std::vector<SeriesPart>>& files) {
  parallel_for(files.size(), [&](std::size_t i) {
    for (SeriesPart& part : files[i])
      if (std::exchange(part.is_joined, false)) part.columns = {};
  });
}

} // namespace

std::vector<job::MetricSeries> join_series(std::vector<std::vector<SeriesPart>> files,
                                           job::ReadingReport& report) {
  PartsBySeries by_series;
  for (std::vector<SeriesPart>& parts : files)
    for (SeriesPart& part : parts) {
      if (part.columns.times.empty()) continue;
      if (lost_its_device(part))
        job::ReadingReport::count(report.skipped, "sample of a core or a GPU without its Name",
                                  part.node, part.columns.times.size());
      else
        by_series.add(part);
    }

  std::vector<SeriesParts> work = std::move(by_series).take();
  std::vector<job::MetricSeries> series(work.size());
  std::vector<Dropped> dropped(work.size());
  constexpr std::size_t kRounds = 8; // as many as keep what is there twice a small part of all
  for (std::size_t round = 0; round < kRounds; ++round) {
    const std::size_t first = work.size() * round / kRounds;
    parallel_for(work.size() * (round + 1) / kRounds - first, [&](std::size_t place) {
      const std::size_t i = first + place;
      job::SeriesBuilder columns = concatenate(work[i].parts);
      sort_by_time(columns);
      dropped[i] = drop_repeated(columns);
      series[i] = job::make_series(*work[i].node, *work[i].name, std::move(columns));
    });
    free_joined(files);
  }

  for (std::size_t i = 0; i < work.size(); ++i) {
    const std::string where = series[i].node + ", " + series[i].recorded_as.name;
    if (dropped[i].repeated > 0)
      job::ReadingReport::count(report.repaired, "repeated sample dropped", where,
                                dropped[i].repeated);
    if (dropped[i].conflicting > 0)
      job::ReadingReport::count(report.repaired, "second value for one moment dropped", where,
                                dropped[i].conflicting);
  }
  parallel_for(files.size(), [&](std::size_t i) { files[i] = {}; }); // their names are many
  std::sort(series.begin(), series.end(), job::series_less);
  share_times(series);
  limit_series(series, report);
  return series;
}

} // namespace debrief::ingest
