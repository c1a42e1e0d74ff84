// Scalars that no chart of their own topic shows, by what their names begin with: hundreds of them
// are found by their group, or by a search.
#pragma once

#include "result/curves.h"

#include <string>
#include <string_view>
#include <vector>

namespace debrief::render {

struct ScalarGroup {
  std::string heading; ///< "train (12 scalars)"
  std::vector<const result::Curve*> curves;
};

/// "system" of "system/gpu.0.temp", "layer1" of "layer1.weight"; empty where a name has neither.
std::string_view prefix_of_scalar(std::string_view name);

/// A group for every prefix that several have, in the order of their names; last what is left. A
/// handful are one group.
std::vector<ScalarGroup> group_scalars(const std::vector<const result::Curve*>& curves);

} // namespace debrief::render
