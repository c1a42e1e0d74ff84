// The section "Framework metrics summary".
#pragma once

#include "result/framework.h"

#include <nlohmann/json.hpp>

namespace debrief::render {

nlohmann::json framework_view(const result::Framework& framework);

} // namespace debrief::render
