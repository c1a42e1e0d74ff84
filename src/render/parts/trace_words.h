// What the sections on traces share: durations of microseconds, shares, and which source a figure
// has.
#pragma once

#include "render/parts/cells.h"
#include "result/result.h"

#include <optional>
#include <string>
#include <string_view>

namespace debrief::render {

/// "12.5 µs", "3.1 ms".
std::string micros(double us);
Cell micros_cell(const std::optional<double>& us);

Cell byte_count_cell(const std::optional<std::int64_t>& bytes);

/// Of nothing every part is 0.
double percent_of(double part, double whole);

/// "60.0%".
std::string share_text(double part, double whole);

/// A share as a table has it, under a head with "(%)": "60.00".
std::string share_cell(double part, double whole);

/// A name of the job, or what stands where there is none.
std::string name_or_unknown(const std::string& name);

/// Whether the framework's figures come from traces and from something else, so that a reader has
/// to be told which is which.
bool has_both_sources(const result::Result& result);

/// " (PyTorch traces)" where the job has both sources and this one is known; else nothing.
std::string source_words(const result::Result& result, std::string_view source);

} // namespace debrief::render
