// Figures as cells of a table: the text that a reader wants, and behind it the plain number, by
// which the page's script sorts, which it shows on request and which it writes into CSV files.
#pragma once

#include "render/parts/table.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace debrief::render {

/// Six decimals at most, as the result's JSON has them; never an exponent: "0.0821".
std::string plain_number(double value);

Cell duration_cell(const std::optional<double>& seconds);
Cell bytes_cell(double bytes);
Cell count_cell(const std::optional<std::int64_t>& number);

/// A logged scalar, by four digits; behind it seven.
Cell scalar_cell(const std::optional<double>& value);

/// A value of the usage table, where the unit has a column of its own.
Cell usage_cell(double value, std::string_view unit);

/// A share in percent as a bar from the scale's beginning, or from where the part before it ended.
Cell share_bar(double percent, double from = 0);

/// The head of a column of `spread_bar`.
inline constexpr std::string_view kSpreadHead = "p50 dark, p95 pale";

/// Median and 95th percentile of a percentage, one upon the other.
Cell spread_bar(double p50, double p95);

} // namespace debrief::render
