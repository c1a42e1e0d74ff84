// Finds the files of a job: every regular file at or below a path, in an order that does not depend
// on the file system. Symbolic links inside the folder are left out unless asked for, since they
// may lead anywhere.
#pragma once

#include <string>
#include <vector>

namespace debrief::ingest {

struct FoundFiles {
  std::string root;                       ///< absolute or as given; paths below are relative to it
  std::vector<std::string> paths;         ///< sorted, '/' between parts
  std::vector<std::string> skipped_links; ///< sorted
  std::vector<std::string> not_files;     ///< pipes, sockets, devices; sorted
  std::vector<std::string> unreadable;    ///< what cannot be listed or looked at, sorted
  bool links_are_asked_for = false;       ///< paths may lead through symbolic links

  std::string full_path(const std::string& path) const { return root + "/" + path; }
};

/// Throws Error where `path` is missing, not readable, or neither a folder nor a file.
FoundFiles discover(const std::string& path, bool follow_links);

} // namespace debrief::ingest
