// The samples that a tracker took of the machine, while its file is read: they get the recorder's
// names, so that everything that is made of samples works alike.
#pragma once

#include "ingest/reader.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::ingest::trackers {

/// How a tracker's series becomes one of the recorder's.
struct MetricRule {
  job::MetricName name;
  double scale = 1;     ///< from the tracker's unit to the recorder's
  bool counter = false; ///< counts up from some start; becomes a rate, per second
};

/// What a tracker calls a quantity of one GPU, and what the recorder does.
struct GpuName {
  std::string_view theirs;
  const char* dimension;
  double scale = 1;
};

class TrackerMetrics {
public:
  /// `report` counts values that are no measurement; all of it stands for `path`.
  TrackerMetrics(MetricSource source, std::string_view path, job::ReadingReport& report)
      : source_(source)
      , path_(path)
      , report_(report) {}

  /// Adds a value in the tracker's unit. False where it is no measurement (counted), or the first
  /// of a counter.
  bool add(const std::string& node, const MetricRule& rule, Microseconds time, double value);

  std::vector<SeriesPart> take();

private:
  struct Counter {
    Microseconds time = 0;
    double value = 0;
  };

  struct Series {
    SeriesPart part;
    std::optional<Counter> before;
  };

  /// A machine has some hundred; a file that makes up names has no bound.
  static constexpr std::size_t kMaxSeries = 10'000;

  Series* find(const std::string& node, const job::MetricName& name);
  void skip(const char* reason);

  MetricSource source_;
  std::string_view path_;
  job::ReadingReport& report_;
  std::map<std::pair<std::string, job::MetricName>, Series> series_;
};

/// "gpu0"
job::MetricName gpu_metric(std::string_view number, const char* dimension);

/// The mean over a machine's cores, of which the tracker says nothing more.
job::MetricName all_cores_metric();

} // namespace debrief::ingest::trackers
