// Tables of how each device was used, for the sections on GPUs and on the batch size.
#pragma once

#include "render/parts/table.h"
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
Devices devices_of(const result::Result& result, const std::vector<std::string_view>& metrics);

/// A figure of a device's box: "p95" and where it stands.
struct BoxFigure {
  std::string name;
  std::optional<double> result::DeviceRow::*figure = nullptr;
};

/// A table of devices: the wanted figures of their boxes, what the rule, if it was evaluated, found
/// for each, and a bar. Columns of which nothing is known are left out.
Table device_table(std::string caption, const Devices& devices,
                   const std::vector<BoxFigure>& figures, const result::RuleRow* rule);

/// "gpu0 of algo-1", "cpu of algo-2".
std::string device_name(const std::string& node, const std::string& device);

/// The devices with the least and the most of a figure; null where no device has it.
struct Extremes {
  const result::DeviceRow* least = nullptr;
  const result::DeviceRow* most = nullptr;
};

Extremes extremes(const Devices& devices, std::optional<double> result::DeviceRow::*figure);

} // namespace debrief::render
