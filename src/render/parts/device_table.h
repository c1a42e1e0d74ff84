// Tables of how each device was used, for the sections on GPUs and on the batch size.
#pragma once

#include "render/parts/devices.h"
#include "render/parts/table.h"
#include "result/result.h"

#include <optional>
#include <string>
#include <vector>

namespace debrief::render {

/// A figure of a device's box: "p95" and where it stands.
struct BoxFigure {
  std::string name;
  std::optional<double> result::DeviceRow::*figure = nullptr;
};

/// A table of devices: the wanted figures of their boxes, what the rule, if it was evaluated, found
/// for each, and a bar. Columns of which nothing is known are left out.
Table device_table(std::string caption, const Devices& devices,
                   const std::vector<BoxFigure>& figures, const result::RuleRow* rule);

} // namespace debrief::render
