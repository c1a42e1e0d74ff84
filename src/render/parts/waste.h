// Where the time that was paid for went, as a bar and a table.
#pragma once

#include "chart/meaning.h"
#include "render/parts/section.h"
#include "result/findings.h"

#include <string>
#include <vector>

namespace debrief::render {

/// One row of the waste: computing, each meaning of what was lost, time without a sample.
struct WasteRow {
  std::string name;
  double hours = 0;
  chart::Meaning meaning = chart::Meaning::idle;
};

/// They sum to what was paid; what is 0 has no row.
std::vector<WasteRow> waste_rows(const result::Waste& waste);

/// Nothing where it is not known what was paid. Without the chart, which the summary has, the table
/// is folded away.
void add_waste(Section& section, const result::Waste& waste, bool with_chart);

} // namespace debrief::render
