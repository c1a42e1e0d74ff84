// Where the time that was paid for went, as a bar and a table.
#pragma once

#include "render/parts/section.h"
#include "result/findings.h"

#include <string>
#include <vector>

namespace debrief::render {

/// One row of the waste: busy, each finding, other idle time, time without a sample.
struct WasteRow {
  std::string name;
  double hours = 0;
};

/// They sum to what was paid; what is 0 has no row.
std::vector<WasteRow> waste_rows(const result::Waste& waste);

/// Nothing where it is not known what was paid.
void add_waste(Section& section, const result::Waste& waste);

} // namespace debrief::render
