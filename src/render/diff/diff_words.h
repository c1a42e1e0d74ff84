// What changed, in words: figures in their units, and the sentences of a comparison.
#pragma once

#include "compare/diff.h"
#include "render/parts/table.h"

#include <optional>
#include <string>
#include <string_view>

namespace debrief::render {

/// "61.2 ms", "97.50 %", "1.25 GB", "12".
std::string value_text(double value, std::string_view unit);

/// The same as a cell, with the plain number behind it.
Cell value_cell(double value, std::string_view unit);

/// Signed: "-12.3 ms", "4.20" of a percentage.
Cell difference_cell(double difference, std::string_view unit);

/// "-12.3" of a share of the value before, in percent.
Cell relative_cell(const std::optional<double>& relative);

/// "61 ms to 1.95 s".
std::string from_to(const compare::Change& change);

/// Names that tell the jobs apart, also where both are called the same.
struct JobNames {
  std::string before;
  std::string after;
};

JobNames names_of(const compare::Diff& diff);

/// What differs in what the jobs were run with, which a reader has to know before any change of
/// speed: "They were not run alike: another GPU (A100 before, V100 after)."; empty: nothing.
std::string settings_text(const compare::Diff& diff);

/// Up to two sentences: what the change is all in all, by what, and the largest of all.
std::string decided_text(const compare::Diff& diff);

/// Both.
std::string outcome_text(const compare::Diff& diff);

/// "new", "gone", "stayed, worse".
std::string finding_status(const compare::FindingChange& change);

/// A figure's label, with its node or process where the name has one.
std::string label_of(const compare::Figure& figure);

} // namespace debrief::render
