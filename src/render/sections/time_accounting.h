// Where the job's time went, in the section "Training job summary".
#pragma once

#include "result/steps.h"

#include <nlohmann/json.hpp>

namespace debrief::render {

nlohmann::json accounting_view(const result::TimeAccounting& accounting);

} // namespace debrief::render
