// The section "Provenance".
#pragma once

#include "result/result.h"

#include <nlohmann/json.hpp>

namespace debrief::render {

nlohmann::json provenance_view(const result::Provenance& provenance);

} // namespace debrief::render
