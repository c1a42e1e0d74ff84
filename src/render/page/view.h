// The result as the templates want it: every text ready to show, every decision taken. A template
// never computes, and every text of the job is made printable here; HTML escaping is the template
// engine's.
#pragma once

#include "result/result.h"

#include <nlohmann/json.hpp>

namespace debrief::render {

nlohmann::json make_view(const result::Result& result);

} // namespace debrief::render
