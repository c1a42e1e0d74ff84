#include "aggregate/sm_activity.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <string_view>

namespace debrief::aggregate {

namespace {

/// What one GPU measured of itself.
struct GpuMeasures {
  const job::MetricSeries* utilization = nullptr;
  const job::MetricSeries* sm_active = nullptr;
  const job::MetricSeries* tensor_active = nullptr;
};

const job::MetricSeries* same_gpu(const job::Job& job, const job::MetricSeries& gpu,
                                  std::string_view dimension) {
  for (const job::MetricSeries& series : job.metrics)
    if (series.recorded_as.type == "gpu" && series.recorded_as.dimension == dimension &&
        series.node == gpu.node && series.device == gpu.device)
      return &series;
  return nullptr;
}

/// Walks along a series while time rises: its value at exactly this moment.
class ValueAt {
public:
  explicit ValueAt(const job::MetricSeries* series)
      : series_(series) {}

  std::optional<double> operator()(Microseconds time) {
    if (series_ == nullptr) return std::nullopt;
    const auto times = series_->time_span();
    while (at_ < times.size() && times[at_] < time)
      ++at_;
    if (at_ == times.size() || times[at_] != time) return std::nullopt;
    return std::clamp(series_->values[at_], 0.0, 100.0);
  }

private:
  const job::MetricSeries* series_;
  std::size_t at_ = 0;
};

std::optional<result::SmActivityRow> means_within(const GpuMeasures& gpu, const TimeSpan& span) {
  result::SmActivityRow row;
  row.node = gpu.sm_active->node;
  row.device = gpu.sm_active->device;
  ValueAt utilization{gpu.utilization};
  ValueAt tensor{gpu.tensor_active};
  double tensor_sum = 0;
  double tensor_samples = 0;
  for (std::size_t at = 0; at < gpu.sm_active->size(); ++at) {
    const Microseconds time = gpu.sm_active->time_span()[at];
    if (!span.contains(time)) continue;
    const auto busy = utilization(time);
    if (!busy) continue;
    ++row.samples;
    row.utilization += *busy;
    row.sm_active += std::clamp(gpu.sm_active->values[at], 0.0, 100.0);
    if (const auto share = tensor(time)) {
      tensor_sum += *share;
      ++tensor_samples;
    }
  }
  if (row.samples == 0) return std::nullopt;
  row.utilization /= static_cast<double>(row.samples);
  row.sm_active /= static_cast<double>(row.samples);
  if (tensor_samples > 0) row.tensor_active = tensor_sum / tensor_samples;
  return row;
}

} // namespace

std::vector<result::SmActivityRow> sm_activity(const job::Job& job,
                                               const result::JobSummary& summary) {
  constexpr TimeSpan kAlways{std::numeric_limits<Microseconds>::min(),
                             std::numeric_limits<Microseconds>::max()};
  std::vector<result::SmActivityRow> rows;
  for (const job::MetricSeries& series : job.metrics) {
    if (series.metric != job::Metric::gpu_sm_activity) continue;
    const GpuMeasures gpu{same_gpu(job, series, "GPUUtilization"), &series,
                          same_gpu(job, series, "GPUTensorActivePercent")};
    if (gpu.utilization == nullptr) continue;
    std::optional<result::SmActivityRow> row;
    if (summary.training_loop_start && summary.training_loop_end)
      row = means_within(gpu, {*summary.training_loop_start, *summary.training_loop_end});
    if (!row) row = means_within(gpu, kAlways);
    if (row) rows.push_back(std::move(*row));
  }
  return rows;
}

} // namespace debrief::aggregate
