#include "record/recorder_folder.h"

#include "record/environment_search.h"
#include "record/proc_file.h"
#include "util/private_folder.h"

#include <fmt/format.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <optional>
#include <string_view>
#include <vector>

namespace debrief::record {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kBegin = "debrief.";
constexpr std::string_view kPattern = "debrief.XXXXXX";
/// Says whose folder it is; written once the lock is there.
constexpr std::string_view kOwnerFile = "recorder";
constexpr std::string_view kFirstLine = "debrief recorder";

/// Which processes this one sees: those of its machine, since that was started, in its namespace.
std::string own_world() {
  std::array<char, 256> host{};
  ::gethostname(host.data(), host.size() - 1);
  std::array<char, 256> processes{};
  if (::readlink("/proc/self/ns/pid", processes.data(), processes.size() - 1) < 0) return "";
  const std::string boot = first_line_of("/proc/sys/kernel/random/boot_id");
  return boot.empty() ? "" : fmt::format("{} {} {}", host.data(), boot, processes.data());
}

int open_folder(int parent, const char* name) {
  return ::openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

bool is_own_private_folder(int folder) {
  struct stat info {};

  return ::fstat(folder, &info) == 0 && info.st_uid == ::geteuid() &&
         (info.st_mode & 07777) == 0700;
}

/// When the recorder began; nothing where it is none of this world's.
std::optional<std::uint64_t> start_of_owner(int folder) {
  const int file =
      ::openat(folder, kOwnerFile.data(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::array<char, 1024> text{};
  const ssize_t size = ::read(file, text.data(), text.size());
  ::close(file);
  std::string_view rest{text.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0))};
  const std::string world = own_world();
  if (next_line(rest) != kFirstLine || world.empty() || next_line(rest) != world)
    return std::nullopt;
  return to_number(next_line(rest));
}

/// All but the file that says whose it is.
void empty_folder(const fs::path& path) {
  std::vector<fs::path> entries;
  std::error_code error;
  for (fs::directory_iterator entry{path, error}; !error && entry != fs::directory_iterator{};
       entry.increment(error))
    if (entry->path().filename() != kOwnerFile) entries.push_back(entry->path());
  for (const fs::path& entry : entries)
    fs::remove_all(entry, error);
}

/// Orphans of the command are this process's children.
bool has_children() {
  pid_t ended = 0;
  while ((ended = ::waitpid(-1, nullptr, WNOHANG)) > 0) {
  }
  return ended == 0 || errno != ECHILD;
}

void remove_leftover(int place, const std::string& place_path, const char* name) {
  const int folder = open_folder(place, name);
  if (folder < 0) return;
  // The lock of a recorder that lives is shared, and refuses this one.
  if (is_own_private_folder(folder) && ::flock(folder, LOCK_EX | LOCK_NB) == 0)
    if (const auto start = start_of_owner(folder);
        start && !is_in_an_environment({.name = name, .since = *start, .where_unsure = true})) {
      std::error_code ignored;
      fs::remove_all(fs::path{place_path} / name, ignored);
    }
  ::close(folder);
}

} // namespace

void remove_leftover_folders(const std::string& place) {
  DIR* const entries = ::opendir(place.c_str());
  if (entries == nullptr) return;
  std::vector<std::string> names;
  while (const dirent* entry = ::readdir(entries)) {
    const std::string_view name = entry->d_name;
    if (name.size() == kPattern.size() && name.starts_with(kBegin)) names.emplace_back(name);
  }
  for (const std::string& name : names)
    remove_leftover(::dirfd(entries), place, name.c_str());
  ::closedir(entries);
}

RecorderFolder::RecorderFolder() {
  try {
    make();
  } catch (const std::exception& error) {
    trouble_ = error.what();
  }
}

void RecorderFolder::make() {
  const PrivatePlace place = private_place(kLongestRecorderFolder, kPattern.size());
  trouble_ = place.trouble;
  if (!trouble_.empty()) return;
  remove_leftover_folders(place.folder);
  std::string name = fmt::format("{}/{}", place.folder, kPattern);
  if (name.size() > kLongestRecorderFolder) {
    trouble_ = fmt::format("{} is too long for libkineto's sockets", place.folder);
    return;
  }
  if (::mkdtemp(name.data()) == nullptr) {
    trouble_ = fmt::format("{}: {}", place.folder, std::strerror(errno));
    return;
  }
  path_ = name;
  lock_ = open_folder(AT_FDCWD, name.c_str());
  if (lock_ < 0 || ::flock(lock_, LOCK_SH | LOCK_NB) != 0)
    return; // then nobody removes it but this
  if (const std::string world = own_world(); !world.empty())
    std::ofstream{path_ / kOwnerFile} << kFirstLine << '\n' << world << '\n' << own_start() << '\n';
}

void RecorderFolder::give_up() const {
  const std::string name = path_.filename().string();
  if (has_children() || is_in_an_environment({.name = name})) {
    empty_folder(path_);
    return;
  }
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

RecorderFolder::~RecorderFolder() {
  try {
    if (!path_.empty()) give_up();
  } catch (const std::exception&) {
    // It stays; a later recorder finds it.
  }
  if (lock_ >= 0) ::close(lock_);
}

} // namespace debrief::record
