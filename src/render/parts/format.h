// Numbers as a reader wants to see them. Used by the page only: JSON carries plain numbers.
#pragma once

#include "util/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::render {

/// What stands where a figure is not known.
inline constexpr std::string_view kUnknown = "–";

/// 48470 -> "48,470".
std::string grouped(std::int64_t number);

/// A value of the usage table: "90.00" for percent, "1.25 MB" for bytes per second.
std::string in_unit(double value, std::string_view unit);

/// Two decimals: "125.01".
std::string two_decimals(double value);
std::string two_decimals(const std::optional<double>& value);

/// A logged scalar, of any size, by four digits that count: "2.314", "0.01250", "12,346", "5e-5",
/// "−1.250".
std::string scalar_text(double value);

/// Seconds as "2 min 5 s".
std::string duration(const std::optional<double>& seconds);

/// "48,470 operators", "1 operator": as count_of, grouped.
std::string plural(std::int64_t number, std::string_view noun);

/// "step 1,200".
std::string step_words(std::int64_t step);

/// "no GPU" -> "No GPU".
std::string capitalized(std::string text);

/// "Waiting on data" -> "waiting on data"; words in capitals and names stay: "CPU saturated",
/// "Python".
std::string lowered(std::string text);

/// "Nov 14, 2026, 23:50 UTC"
std::string date_text(Microseconds time);

/// A name of the job as a sentence can hold it: printable, and cut at 60 characters.
std::string truncate(std::string_view name);

/// The sentence with no-break spaces between numbers and their units: no line ends there.
std::string keep_units_together(std::string_view sentence);

/// "gpu0 of algo-1", "cpu of algo-2".
std::string device_name(const std::string& node, const std::string& device);

/// "a", "a and b", "a, b and c".
std::string join_and(const std::vector<std::string>& words);

} // namespace debrief::render
