// Paths in what a process says of itself, cut down to what is of use elsewhere: nobody's home
// folder.
#pragma once

#include <string>
#include <string_view>

namespace debrief {

/// The text with each absolute path relative to `folder` or to site-packages, where it lies below
/// one of them, and as its last part alone elsewhere: "no file '/home/me/run/data/a.pt'" ->
/// "no file 'data/a.pt'". Addresses (https://…) stay. Takes linear time.
std::string with_short_paths(std::string_view text, std::string_view folder);

} // namespace debrief
