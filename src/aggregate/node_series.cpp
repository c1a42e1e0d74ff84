#include "aggregate/node_series.h"

#include <algorithm>
#include <cstdint>
#include <limits>

namespace debrief::aggregate {

namespace {

bool sampled_together(std::span<const job::MetricSeries* const> devices) {
  return std::all_of(devices.begin(), devices.end(), [&](const job::MetricSeries* series) {
    return series->times.shared_with(devices.front()->times);
  });
}

job::SeriesBuilder combine_aligned(std::span<const job::MetricSeries* const> devices, Combine how) {
  job::SeriesBuilder out;
  const auto times = devices.front()->time_span();
  out.times.assign(times.begin(), times.end());
  out.values.assign(times.size(), 0.0);
  for (const job::MetricSeries* series : devices) {
    const auto values = series->value_span();
    for (std::size_t i = 0; i < values.size(); ++i)
      out.values[i] += values[i];
  }
  if (how == Combine::mean)
    for (double& value : out.values)
      value /= static_cast<double>(devices.size());
  return out;
}

struct Sample {
  Microseconds time = 0;
  double value = 0;
  std::uint32_t device = 0;
};

/// Moment by moment, what one device had; moments that it missed are filled when its next comes.
class DeviceColumns {
public:
  explicit DeviceColumns(std::size_t devices)
      : values_(devices) {}

  void set(std::size_t device, std::size_t moment, double value) {
    values_[device].resize(moment, kMissing);
    values_[device].push_back(static_cast<float>(value));
  }

  std::vector<std::vector<float>> finish(std::size_t moments) && {
    for (auto& values : values_)
      values.resize(moments, kMissing);
    return std::move(values_);
  }

private:
  static constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();
  std::vector<std::vector<float>> values_;
};

/// `each` may be null.
job::SeriesBuilder combine_scattered(std::span<const job::MetricSeries* const> devices, Combine how,
                                     DeviceColumns* each) {
  std::vector<Sample> samples;
  for (std::uint32_t device = 0; device < devices.size(); ++device) {
    const auto times = devices[device]->time_span();
    const auto values = devices[device]->value_span();
    for (std::size_t i = 0; i < times.size(); ++i)
      samples.push_back({times[i], values[i], device});
  }
  std::sort(samples.begin(), samples.end(), [](const Sample& a, const Sample& b) {
    return a.time != b.time ? a.time < b.time : a.device < b.device;
  });

  job::SeriesBuilder out;
  std::vector<std::size_t> seen_in(devices.size(),
                                   0); // the moment (from 1) that last had this device
  std::size_t in_moment = 0;
  const auto close = [&] {
    if (in_moment > 0 && how == Combine::mean) out.values.back() /= static_cast<double>(in_moment);
    in_moment = 0;
  };
  for (const Sample& sample : samples) {
    const bool same = in_moment > 0 && sample.time - out.times.back() <= kSameMoment &&
                      seen_in[sample.device] != out.times.size();
    if (!same) {
      close();
      out.times.push_back(sample.time);
      out.values.push_back(0);
    }
    out.values.back() += sample.value;
    if (each != nullptr) each->set(sample.device, out.times.size() - 1, sample.value);
    seen_in[sample.device] = out.times.size();
    ++in_moment;
  }
  close();
  return out;
}

} // namespace

job::SeriesBuilder combine_devices(std::span<const job::MetricSeries* const> devices, Combine how) {
  if (devices.empty()) return {};
  return sampled_together(devices) ? combine_aligned(devices, how)
                                   : combine_scattered(devices, how, nullptr);
}

Moments combine_each(std::span<const job::MetricSeries* const> devices, Combine how) {
  if (devices.empty()) return {};
  Moments out;
  if (sampled_together(devices)) {
    out.whole = combine_aligned(devices, how);
    out.devices.reserve(devices.size());
    for (const job::MetricSeries* series : devices) {
      const auto values = series->value_span();
      out.devices.emplace_back(values.begin(), values.end());
    }
    return out;
  }
  DeviceColumns each{devices.size()};
  out.whole = combine_scattered(devices, how, &each);
  out.devices = std::move(each).finish(out.whole.times.size());
  return out;
}

} // namespace debrief::aggregate
