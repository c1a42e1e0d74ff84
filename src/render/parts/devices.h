// The devices of a result, as several sections look at them.
#pragma once

#include "result/result.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::render {

/// Why a section on GPUs has nothing to say; absent where a GPU was recorded.
std::optional<std::string> why_no_gpu(const result::Result& result);

using Devices = std::vector<const result::DeviceRow*>;

/// The rows of some metrics, in the result's order.
Devices devices_of(const result::Result& result, const std::vector<result::Metric>& metrics);

/// The devices with the least and the most of a figure; null where no device has it.
struct Extremes {
  const result::DeviceRow* least = nullptr;
  const result::DeviceRow* most = nullptr;
};

Extremes extremes(const Devices& devices, std::optional<double> result::DeviceRow::*figure);

} // namespace debrief::render
