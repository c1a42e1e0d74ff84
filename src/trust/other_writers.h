// Whether anybody but this user and root decides what a path leads to. A file that others can
// change, or put another one in the place of, is theirs as much as this user's.
#pragma once

#include <string>

namespace debrief::trust {

/// "/data/team can be changed by other users (mode 0775)", "/x belongs to another user (uid 1001)";
/// empty: nobody else can. Counted are the file, every folder and link on the way to it, and who
/// may add a file to its folder (or to the path, where that is a folder): what runs there may load
/// what lies beside it. A folder further up may be sticky, as /tmp is.
std::string other_writers(const std::string& path);

} // namespace debrief::trust
