// What this machine is called in a recording: in system metrics, timelines and traces alike.
#pragma once

#include <string>

namespace debrief::record {

/// The host's name without its domain: letters, digits, '.' and '-'. Names of timeline files are
/// cut at underscores, so it has none.
std::string node_name();

} // namespace debrief::record
