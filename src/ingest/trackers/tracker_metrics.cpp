#include "ingest/trackers/tracker_metrics.h"

#include "job/all_cores.h"

#include <cmath>

namespace debrief::ingest::trackers {

namespace {

// Percentages may be off by rounding; beyond that they are sentinels. Amounts: see the reader of
// system metrics.
constexpr double kLeastRounded = -0.5;
constexpr double kMostRounded = 101;
constexpr double kMostAmount = 1e15;

} // namespace

bool TrackerMetrics::add(const std::string& node, const MetricRule& rule, Microseconds time,
                         double value) {
  if (!is_plausible(time)) {
    skip("sample without a time of this century");
    return false;
  }
  value *= rule.scale;
  if (!std::isfinite(value) || std::abs(value) > kMostAmount) {
    skip("sample that is not a measurement");
    return false;
  }
  const job::Unit unit = job::unit_of(job::classify(rule.name));
  if (unit == job::Unit::percent && !(value >= 0 && value <= 100)) {
    if (value < kLeastRounded || value > kMostRounded) {
      skip("percentage that is not a measurement");
      return false;
    }
    value = value < 0 ? 0 : 100;
  }
  Series* series = find(node, rule.name);
  if (series == nullptr) {
    skip("sample of a series beyond the first 10,000");
    return false;
  }
  if (rule.counter) {
    const auto before = std::exchange(series->before, Counter{time, value});
    // The first has no start, and one that went back was started anew.
    if (!before || time <= before->time || value < before->value) return false;
    value = (value - before->value) / in_seconds(time - before->time);
  } else if (value < 0 && unit != job::Unit::unknown) {
    skip("sample that is not a measurement");
    return false;
  }
  series->part.columns.times.push_back(time);
  series->part.columns.values.push_back(value);
  return true;
}

std::vector<SeriesPart> TrackerMetrics::take() {
  std::vector<SeriesPart> out;
  for (auto& [key, series] : series_)
    if (!series.part.columns.times.empty()) out.push_back(std::move(series.part));
  series_.clear();
  return out;
}

TrackerMetrics::Series* TrackerMetrics::find(const std::string& node, const job::MetricName& name) {
  const std::pair<std::string, job::MetricName> key{node, name};
  if (const auto known = series_.find(key); known != series_.end()) return &known->second;
  if (series_.size() == kMaxSeries) return nullptr;
  Series& added = series_[key];
  added.part.node = node;
  added.part.name = name;
  added.part.source = source_;
  return &added;
}

void TrackerMetrics::skip(const char* reason) {
  job::ReadingReport::count(report_.skipped, reason, std::string{path_});
}

job::MetricName gpu_metric(std::string_view number, const char* dimension) {
  return {"gpu", "gpu" + std::string{number}, dimension};
}

job::MetricName all_cores_metric() {
  return {"cpu", std::string{job::kAllCores}, "CPUUtilization"};
}

} // namespace debrief::ingest::trackers
