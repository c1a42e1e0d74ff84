#include "ingest/trackers/mlflow_run.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace debrief::ingest::trackers {

namespace {

constexpr GpuName kMlflowGpuNames[] = {
    {"utilization_percentage", "GPUUtilization"},
    {"memory_usage_percentage", "GPUMemoryUtilization"},
    {"memory_usage_megabytes", "GPUMemoryUsedBytes", 1e6},
    {"memory_usage_gigabytes", "GPUMemoryUsedBytes", 1e9},
    {"power_usage_watts", "GPUPowerWatts"},
};

/// What MLflow logs and the recorder has nothing alike for.
constexpr std::string_view kOthers[] = {"disk_usage_percentage", "disk_usage_megabytes",
                                        "disk_available_megabytes"};

/// "0" and "power_usage_watts" of "gpu_0_power_usage_watts"; empty where it is no GPU's.
std::pair<std::string_view, std::string_view> gpu_and_quantity(std::string_view name) {
  constexpr std::string_view kGpu = "gpu_";
  if (!name.starts_with(kGpu)) return {};
  name.remove_prefix(kGpu.size());
  std::size_t digits = 0;
  while (digits < name.size() && std::isdigit(static_cast<unsigned char>(name[digits])) != 0)
    ++digits;
  if (digits == 0 || digits > 4 || digits == name.size() || name[digits] != '_') return {};
  return {name.substr(0, digits), name.substr(digits + 1)};
}

std::optional<MetricRule> host_rule(std::string_view name) {
  constexpr double kMegabyte = 1e6;
  if (name == "cpu_utilization_percentage") return MetricRule{all_cores_metric()};
  if (name == "system_memory_usage_percentage")
    return MetricRule{{"memory", "MemoryUsedPercent", ""}};
  if (name == "system_memory_usage_megabytes")
    return MetricRule{{"memory", "MemoryUsedBytes", ""}, kMegabyte};
  if (name == "network_receive_megabytes")
    return MetricRule{{"network", "ReceiveBytesPerSecond", "Algorithm"}, kMegabyte, true};
  if (name == "network_transmit_megabytes")
    return MetricRule{{"network", "TransmitBytesPerSecond", "Algorithm"}, kMegabyte, true};
  return std::nullopt;
}

/// MLflow's stores hold no infinity: they keep the largest number in its place.
double with_infinity(double value) {
  if (!(std::abs(value) >= std::numeric_limits<double>::max())) return value; // NaN, too
  return std::copysign(std::numeric_limits<double>::infinity(), value);
}

} // namespace

std::optional<MlflowSystemMetric> mlflow_system_metric(std::string_view key) {
  constexpr std::string_view kSystem = "system/";
  if (!key.starts_with(kSystem)) return std::nullopt;
  key.remove_prefix(kSystem.size());
  MlflowSystemMetric out;
  if (const std::size_t slash = key.rfind('/'); slash != key.npos) {
    out.node = key.substr(0, slash);
    key.remove_prefix(slash + 1);
  }
  if ((out.rule = host_rule(key))) return out;
  if (const auto [gpu, quantity] = gpu_and_quantity(key); !gpu.empty()) {
    for (const GpuName& known : kMlflowGpuNames)
      if (known.theirs == quantity)
        out.rule = MetricRule{gpu_metric(gpu, known.dimension), known.scale};
    if (out.rule || quantity == "power_usage_percentage") return out;
  }
  const bool other = std::find(std::begin(kOthers), std::end(kOthers), key) != std::end(kOthers);
  return other ? std::optional{out} : std::nullopt; // a script may log under "system/", too
}

std::optional<std::string> mlflow_status(std::string_view status) {
  constexpr std::pair<std::string_view, const char*> kKnown[] = {{"FINISHED", "Completed"},
                                                                 {"FAILED", "Failed"},
                                                                 {"KILLED", "Stopped"},
                                                                 {"RUNNING", "InProgress"}};
  for (const auto& [theirs, ours] : kKnown)
    if (theirs == status) return ours;
  return std::nullopt;
}

std::optional<std::string> mlflow_status(std::int64_t status) {
  constexpr std::string_view kNames[] = {"",         "RUNNING", "SCHEDULED",
                                         "FINISHED", "FAILED",  "KILLED"};
  if (status < 0 || status >= std::ssize(kNames)) return std::nullopt;
  return mlflow_status(kNames[status]);
}

std::optional<Microseconds> mlflow_time(std::int64_t milliseconds) {
  constexpr std::int64_t kPerMillisecond = 1000;
  if (milliseconds < 0 || milliseconds >= kLatestTime / kPerMillisecond) return std::nullopt;
  const Microseconds time = milliseconds * kPerMillisecond;
  return is_plausible(time) ? std::optional{time} : std::nullopt;
}

MlflowRun::MlflowRun(std::string_view path, std::string folder, std::string id,
                     job::ReadingReport& report)
    : path_(path)
    , report_(report)
    , metrics_(MetricSource::mlflow, path, report) {
  run_.source = job::ScalarSource::mlflow;
  run_.folder = std::move(folder);
  run_.id = std::move(id);
}

void MlflowRun::add_metric(std::string_view key, std::vector<MlflowPoint> points) {
  // Steps count samples in system metrics: their order is the order of time, too.
  std::stable_sort(points.begin(), points.end(), [](const MlflowPoint& a, const MlflowPoint& b) {
    return std::tie(a.step, a.milliseconds) < std::tie(b.step, b.milliseconds);
  });
  if (const auto system = mlflow_system_metric(key)) {
    if (!system->rule) return;
    const std::string node{system->node};
    for (const MlflowPoint& point : points)
      if (metrics_.add(node, *system->rule, mlflow_time(point.milliseconds).value_or(0),
                       point.value))
        ++samples_;
    return;
  }
  if (const auto odd =
          std::erase_if(points, [](const MlflowPoint& point) { return !job::is_step(point.step); });
      odd > 0)
    job::ReadingReport::count(report_.skipped, kNoStep, std::string{path_}, odd);
  if (points.empty()) return;
  job::ScalarSeries* series = columns_.find(key);
  if (series == nullptr)
    return job::ReadingReport::count(report_.skipped, kTooManyScalars, std::string{path_},
                                     points.size());
  const bool timed = std::all_of(points.begin(), points.end(), [](const MlflowPoint& point) {
    return mlflow_time(point.milliseconds).has_value();
  });
  if (!timed)
    job::ReadingReport::count(report_.repaired, "MLflow metric without times: its steps are kept",
                              std::string{path_});
  for (const MlflowPoint& point : points) {
    series->steps.push_back(point.step);
    if (timed) series->times.push_back(*mlflow_time(point.milliseconds));
    series->values.push_back(with_infinity(point.value));
    ++samples_;
  }
}

LoggedRun MlflowRun::take() {
  run_.scalars = columns_.take();
  run_.metrics = metrics_.take();
  run_.described.hyperparameters = parameters_.take();
  if (!run_.name.empty()) run_.described.name = run_.name;
  return std::move(run_);
}

} // namespace debrief::ingest::trackers
