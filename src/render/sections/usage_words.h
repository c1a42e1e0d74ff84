// One sentence on how a node was used: well used, hardly used, limited by its CPU or by storage,
// underused. Nodes of which the same is true share a sentence.
#pragma once

#include "result/devices.h"

#include <string>
#include <vector>

namespace debrief::render {

std::vector<std::string> usage_sentences(const std::vector<result::UsageRow>& rows);

} // namespace debrief::render
