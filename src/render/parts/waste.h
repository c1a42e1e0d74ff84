// Where the time that was paid for went, as a bar and a table.
#pragma once

#include "chart/meaning.h"
#include "render/parts/section.h"
#include "result/findings.h"

#include <span>
#include <string>
#include <vector>

namespace debrief::render {

/// One row of the waste: computing, each meaning of what was lost, time without a sample.
struct WasteRow {
  std::string name;
  double hours = 0;
  Meaning meaning = Meaning::idle;
};

/// They sum to what was paid; what is 0 has no row.
std::vector<WasteRow> waste_rows(std::span<const result::Waste> wastes);

/// A folded table; the chart is the summary's. Nothing where it is not known what was paid.
void add_waste(Section& section, const result::Waste& waste);

/// Chart and table of several jobs; `sum` is of all of them.
void add_waste_of_jobs(Section& section, const result::Waste& sum,
                       std::span<const result::Waste> wastes);

} // namespace debrief::render
