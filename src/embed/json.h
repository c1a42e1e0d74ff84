// JSON that stands in a script element as it is.
#pragma once

#include "embed/block.h"

#include <nlohmann/json.hpp>

#include <string>

namespace debrief::embed {

/// `[offset, count, width, delta, scale]`.
nlohmann::ordered_json to_json(const Array& array);

/// As text without any `<`.
std::string script_text(const nlohmann::ordered_json& json);

} // namespace debrief::embed
