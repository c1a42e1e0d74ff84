// What ran while a rule's condition held, against the rest of the time, as a drawing.
#pragma once

#include "render/parts/chart.h"
#include "result/rules.h"

#include <optional>
#include <string>
#include <string_view>

namespace debrief::render {

/// "CPU operator" for "cpu_operator".
std::string group_words(const std::string& group);

/// In points; nothing where there is nothing to compare with, which sorts last.
std::optional<double> difference(const result::ActivityRow& row);

/// Of each kind of work the rows that differ most; the caption says so where there are more.
/// `during`: "outlying steps". Nothing where there is no row.
std::optional<Figure> activity_figure(const result::Activity& activity, std::string_view during);

} // namespace debrief::render
