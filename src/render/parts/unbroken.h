// Sentences as lines of a page hold them.
#pragma once

#include <string>
#include <string_view>

namespace debrief::render {

/// The sentence with no-break spaces before "%": no line ends between a number and its unit.
std::string unbroken(std::string_view sentence);

} // namespace debrief::render
