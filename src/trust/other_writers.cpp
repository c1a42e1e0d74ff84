#include "trust/other_writers.h"

#include "trust/places.h"
#include "util/text.h"

#include <fmt/format.h>

#include <sys/xattr.h>
#include <unistd.h>

#include <cstdio>
#include <grp.h>
#include <map>
#include <memory>
#include <mutex>
#include <pwd.h>

namespace debrief::trust {

namespace {

/// Whether another local user has the group as the one of the password file.
bool is_group_of_another_user(gid_t group, const std::string& name) {
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file{std::fopen("/etc/passwd", "re"),
                                                             &std::fclose};
  if (file == nullptr) return false;
  while (const passwd* user = ::fgetpwent(file.get()))
    if (user->pw_gid == group && name != user->pw_name) return true;
  return false;
}

/// A group that is called as this user is and has nobody else, as most distributions make one for
/// every user: what it may write, this user may.
bool look_whether_private(gid_t group) {
  const passwd* user = ::getpwuid(::geteuid());
  if (user == nullptr || user->pw_gid != group) return false;
  const std::string name = user->pw_name;
  const struct group* entry = ::getgrgid(group);
  if (entry == nullptr || name != entry->gr_name) return false;
  for (char** member = entry->gr_mem; *member != nullptr; ++member)
    if (name != *member) return false;
  return !is_group_of_another_user(group, name);
}

/// Asked by threads side by side, while the system's answers share one place in memory.
bool is_private(gid_t group) {
  static std::mutex mutex;
  static std::map<gid_t, bool> known;
  const std::lock_guard lock{mutex};
  const auto found = known.find(group);
  if (found != known.end()) return found->second;
  return known.emplace(group, look_whether_private(group)).first->second;
}

/// With a list of its own the file may be another user's to write, and the bits of the group then
/// say what the list allows at most.
bool has_access_list(const std::string& path) {
  return ::lgetxattr(path.c_str(), "system.posix_acl_access", nullptr, 0) > 0;
}

bool may_others_write(const Place& place) {
  const mode_t mode = place.info.st_mode;
  if ((mode & S_IWOTH) != 0) return true;
  return (mode & S_IWGRP) != 0 && (!is_private(place.info.st_gid) || has_access_list(place.path));
}

std::string trouble_at(const Place& place, bool is_last_folder) {
  constexpr mode_t kPermissions = 07777;
  if (place.info.st_uid != ::geteuid() && place.info.st_uid != 0)
    return fmt::format("{} belongs to another user (uid {})", printable(place.path),
                       place.info.st_uid);
  const mode_t mode = place.info.st_mode;
  if (S_ISLNK(mode) || !may_others_write(place)) return "";
  // In a sticky folder nobody takes away what is this user's or root's, as the next place is.
  if (S_ISDIR(mode) && (mode & S_ISVTX) != 0 && !is_last_folder) return "";
  return fmt::format("{} can be changed by other users (mode {:04o})", printable(place.path),
                     mode & kPermissions);
}

} // namespace

std::string other_writers(const std::string& path) {
  const std::vector<Place> places = places_on_the_way(path);
  if (places.empty()) return fmt::format("{} is not there", printable(path));
  const std::string& end = places.back().path;
  const std::string last_folder = S_ISDIR(places.back().info.st_mode)
                                      ? end
                                      : end.substr(0, std::max<std::size_t>(1, end.rfind('/')));
  for (const Place& place : places)
    if (std::string trouble = trouble_at(place, place.path == last_folder); !trouble.empty())
      return trouble;
  return "";
}

} // namespace debrief::trust
