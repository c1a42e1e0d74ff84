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

/// Those that the page has, in its order.
std::vector<MadeSection> make_sections(const result::Result& result);

/// The section with data at an address; null if the page has none.
const MadeSection* find_with_data(const std::vector<MadeSection>& sections, std::string_view id);

} // namespace debrief::render
