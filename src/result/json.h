// The result object as JSON, `"schema": "debrief.result/1"`: sorted keys, no NaN, times in
// ISO-8601.
#pragma once

#include "result/result.h"

#include <nlohmann/json.hpp>

#include <string>

namespace debrief::result {

inline constexpr const char* kSchema = "debrief.result/1";

nlohmann::json to_json(const Result& result);

/// The result of a document, which may be anybody's: what is missing, null or of another type is
/// absent. What the JSON does not have (the timeline, SageMaker's details) is empty. Throws Error
/// for another schema only.
Result from_json(const nlohmann::json& document);

/// A number as documents have it. Six decimals: a microsecond, and far below what any recorder
/// measures. Keeps text short and stable.
double rounded(double value);

/// The same for numbers of any size, such as learning rates: seven digits.
double rounded_digits(double value);

/// The document as text with a newline at the end. Text that is not UTF-8 is shown with U+FFFD.
std::string to_json_text(const Result& result);

} // namespace debrief::result
