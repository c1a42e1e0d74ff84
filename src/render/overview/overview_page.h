// The list of several jobs' reports as one self-contained HTML file: which to look at first.
#pragma once

#include "overview/entry.h"

#include <nlohmann/json.hpp>

#include <string>
#include <vector>

namespace debrief::render {

/// `entries` in the order in which they are listed.
std::string to_html(const std::vector<overview::Entry>& entries);

/// What templates/overview.html shows.
nlohmann::json make_overview_view(const std::vector<overview::Entry>& entries);

/// "2 critical, 1 warning and 4 healthy"; as far as there are any, gravest first.
std::string verdict_counts(const std::vector<overview::Entry>& entries);

} // namespace debrief::render
