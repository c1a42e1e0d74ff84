// The way to a file: every folder and every link that the system passes. Who may write to one of
// them decides what is found at its end.
#pragma once

#include <sys/stat.h>

#include <string>
#include <vector>

namespace debrief::trust {

struct Place {
  std::string path; ///< absolute, no link on the way to it; it may be one

  struct stat info {};
};

/// From "/" on; the last one is what the path leads to. Empty where it leads nowhere.
std::vector<Place> places_on_the_way(const std::string& path);

/// Whether a path is the folder or lies somewhere in it; both as places have them.
bool lies_in(const std::string& path, const std::string& folder);

} // namespace debrief::trust
