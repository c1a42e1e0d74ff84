// SageMaker's shape of what ran at certain times: the keys ratio, phase, CPU, GPU, general, … that
// its files have beside a rule's own.
#pragma once

#include "result/framework.h"
#include "result/rules.h"

#include <nlohmann/json.hpp>

namespace debrief::rules {

/// Adds what ran inside the windows of `activity`.
void add_activity(nlohmann::ordered_json& details, const result::Activity& activity);

/// Adds the framework's figures of the whole job.
void add_framework(nlohmann::ordered_json& details, const result::Framework& framework);

} // namespace debrief::rules
