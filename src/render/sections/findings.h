// The section "Findings": a card for each, and where the time that was paid for went.
#pragma once

#include "result/result.h"

#include <nlohmann/json.hpp>

namespace debrief::render {

/// `sections` is the rest of the page's view: cards link to what is there.
nlohmann::json findings_view(const result::Result& result, const nlohmann::json& sections);

/// The section where more about a kind of finding stands; empty: none.
std::string_view section_of(std::string_view kind);

} // namespace debrief::render
