// The list of several jobs' reports as one self-contained HTML file: which to look at first.
#pragma once

#include "overview/entry.h"
#include "render/parts/section.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <vector>

namespace debrief::render {

/// `entries` in the order in which they are listed.
std::string to_html(const std::vector<overview::Entry>& entries);

/// What the list says of each job.
Section jobs_section(const std::vector<overview::Entry>& entries);

/// Jobs without a report, and why; absent if there are none.
std::optional<Section> failures_section(const std::vector<overview::Entry>& entries);

/// What stands above the sections.
nlohmann::json overview_head(const std::vector<overview::Entry>& entries);

/// "2 critical, 1 warning and 4 healthy"; as far as there are any, gravest first.
std::string verdict_counts(const std::vector<overview::Entry>& entries);

} // namespace debrief::render
