// The result object as JSON, `"schema": "debrief.result/1"`: sorted keys, no NaN, times in
// ISO-8601.
#pragma once

#include "result/result.h"

#include <nlohmann/json.hpp>

#include <string>

namespace debrief::result {

inline constexpr const char* kSchema = "debrief.result/1";

nlohmann::json to_json(const Result& result);

/// The document as text with a newline at the end. Text that is not UTF-8 is shown with U+FFFD.
std::string to_json_text(const Result& result);

} // namespace debrief::result
