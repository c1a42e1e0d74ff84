#include "ingest/discover.h"

#include "util/error.h"
#include "util/memory.h"
#include "util/text.h"

#include <fmt/format.h>

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <set>
#include <utility>

namespace debrief::ingest {

namespace {

namespace fs = std::filesystem;

class Walk {
public:
  Walk(FoundFiles& found, bool follow_links)
      : found_(found)
      , follow_links_(follow_links) {}

  void folder(const std::string& relative) {
    const std::string full = relative.empty() ? found_.root : found_.full_path(relative);
    if (!enter(full)) return;
    std::error_code error;
    fs::directory_iterator entries{full, error};
    throw_if_no_memory(error.value());
    if (error) {
      if (relative.empty())
        throw Error(fmt::format("{}: cannot be listed ({}); check its permissions", printable(full),
                                error.message()));
      found_.unreadable.push_back(relative);
      return;
    }
    while (entries != fs::directory_iterator{}) {
      entry(*entries, relative);
      entries.increment(error); // where that fails, it is the end too
    }
    throw_if_no_memory(error.value());
    if (error) found_.unreadable.push_back(relative.empty() ? "." : relative);
  }

private:
  void entry(const fs::directory_entry& entry, const std::string& relative) {
    const std::string name = entry.path().filename().string();
    const std::string path = relative.empty() ? name : relative + "/" + name;
    std::error_code error;
    if (entry.is_symlink(error) && !follow_links_) {
      found_.skipped_links.push_back(path);
      return;
    }
    const fs::file_status status = entry.status(error);
    if (fs::is_directory(status))
      folder(path);
    else if (fs::is_regular_file(status))
      found_.paths.push_back(path);
    else if (std::error_code of_link; entry.is_symlink(of_link))
      found_.skipped_links.push_back(path); // leads nowhere, or in a circle
    else if (error && error != std::errc::no_such_file_or_directory)
      found_.unreadable.push_back(path); // such as a path longer than the system takes
    else if (fs::exists(status))
      found_.not_files.push_back(path);
  }

  /// Each folder is entered once, however many links lead to it.
  bool enter(const std::string& full) {
    struct stat info {};

    if (::stat(full.c_str(), &info) != 0) return false;
    return seen_.emplace(info.st_dev, info.st_ino).second;
  }

  FoundFiles& found_;
  bool follow_links_;
  std::set<std::pair<dev_t, ino_t>> seen_;
};

} // namespace

FoundFiles discover(const std::string& path, bool follow_links) {
  struct stat info {};

  if (::stat(path.c_str(), &info) != 0)
    throw Error(
        fmt::format("{}: cannot be read ({}); give a job's folder, a folder above it, or a file",
                    printable(path), std::strerror(errno)));
  FoundFiles found;
  if (S_ISREG(info.st_mode)) {
    const fs::path file{path};
    found.root = file.has_parent_path() ? file.parent_path().string() : ".";
    found.paths.push_back(file.filename().string());
    found.links_are_asked_for = true; // whoever names a link means what it leads to
    return found;
  }
  if (!S_ISDIR(info.st_mode))
    throw Error(
        fmt::format("{}: is neither a folder nor a file; give a job's folder", printable(path)));
  found.root = path;
  found.links_are_asked_for = follow_links;
  while (found.root.size() > 1 && found.root.back() == '/')
    found.root.pop_back();
  Walk{found, follow_links}.folder("");
  for (auto* list : {&found.paths, &found.skipped_links, &found.not_files, &found.unreadable})
    std::sort(list->begin(), list->end());
  return found;
}

} // namespace debrief::ingest
