// The report's sections, made of a result: which of them the page has, and what they say.
#pragma once

#include "render/sections/sections.h"
#include "result/result.h"

#include <vector>

namespace debrief::render {

struct MadeSection {
  const SectionSpec* spec = nullptr;
  Section content;
};

/// Those that the page has, in its order. What was not recorded is one list, with how to record it.
std::vector<MadeSection> make_sections(const result::Result& result);

/// Whether all of it is shown at once: the overview, and what a finding leads to. Of others a
/// reader sees the takeaway, and opens the rest.
bool opens_at_first(const MadeSection& section);

/// The section with data at an address; null if the page has none.
const MadeSection* find_with_data(const std::vector<MadeSection>& sections, std::string_view id);

} // namespace debrief::render
