// Code within a sentence: what a reader would type is set as such.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <string_view>

namespace debrief::render {

/// A sentence in runs of plain words and code. What stands in quotes is code; punctuation at a
/// word's end is not. Words of code that follow each other are one run; a line may end between
/// them, but not within one unless it is long.
nlohmann::json runs_of(std::string_view sentence);

} // namespace debrief::render
