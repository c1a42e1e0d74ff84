// What the reports of several jobs are called on disk.
#pragma once

#include <string>
#include <vector>

namespace debrief::overview {

/// A name for each path, without an ending: its last part, made safe. No two are alike, in any
/// case of letters, none is "index", and none is a name that Windows keeps for itself: of jobs
/// called alike the first has the name, the next "<name>-2". The same paths give the same names.
std::vector<std::string> page_names(const std::vector<std::string>& paths);

} // namespace debrief::overview
