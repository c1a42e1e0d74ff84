// Variables of the command's environment.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace debrief::record {

/// Names and values.
using Environment = std::vector<std::pair<std::string, std::string>>;

} // namespace debrief::record
