// Numbers as trackers write them: JSON's, and what Python writes for those that JSON lacks.
#pragma once

#include <optional>
#include <string_view>

namespace debrief::ingest::trackers {

/// A whole text that is a number: "0.5", "1e-3", "NaN", "Infinity", "-Infinity", in quotes or not.
/// Nothing for anything else.
std::optional<double> json_number(std::string_view text);

/// The same, faster, for a text behind which kMaxPlainNumberBytes more may be looked at.
std::optional<double> padded_json_number(std::string_view text);

} // namespace debrief::ingest::trackers
