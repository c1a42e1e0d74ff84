#include "record/environment_search.h"

#include "record/proc_file.h"
#include "record/process_stat.h"

#include <fmt/format.h>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace debrief::record {

namespace {

/// More than the system takes of arguments and environment together, as it is set up anywhere.
constexpr std::size_t kMostEnvironment = std::size_t{32} << 20U;

/// Nothing where it cannot be read, or is too long.
std::optional<std::string> environment_of(const std::string& folder) {
  const int file = ::open((folder + "/environ").c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return std::nullopt;
  std::string text;
  std::array<char, 65536> part{};
  ssize_t got = 0;
  while ((got = ::read(file, part.data(), part.size())) > 0 && text.size() < kMostEnvironment)
    text.append(part.data(), static_cast<std::size_t>(got));
  ::close(file);
  if (got != 0) return std::nullopt;
  return text;
}

/// Whether a program has written its title over it: then it says nothing of what it was.
bool is_overwritten(std::string_view environment) {
  while (!environment.empty()) {
    const std::size_t end = environment.find('\0');
    if (environment.substr(0, end).find('=') == std::string_view::npos) return true;
    if (end == environment.npos) break;
    environment.remove_prefix(end + 1);
  }
  return false;
}

std::optional<ProcessStat> stat_in(const std::string& folder) {
  Scratch scratch(kScratchBytes);
  const ProcFile file{folder + "/stat"};
  return parse_process_stat(file.read(scratch));
}

/// By what the system says of the process: its files belong to root where it may not be looked at.
bool is_own(const std::string& folder) {
  Scratch scratch(kScratchBytes);
  const ProcFile file{folder + "/status"};
  const std::string_view text = file.read(scratch);
  const std::size_t at = text.find("\nUid:\t");
  return at != text.npos &&
         std::strtoul(std::string{text.substr(at + 6, 12)}.c_str(), nullptr, 10) == ::geteuid();
}

bool may_know(const std::string& folder, const EnvironmentSearch& search) {
  const auto environment = environment_of(folder);
  if (environment && environment->find(search.name) != environment->npos) return true;
  if (!search.where_unsure || (environment && !is_overwritten(*environment)) || !is_own(folder))
    return false;
  const auto stat = stat_in(folder);
  return stat && !stat->ended && stat->start >= search.since;
}

bool found_in_one_look(const EnvironmentSearch& search) {
  DIR* const folder = ::opendir(search.proc);
  if (folder == nullptr) return true;
  bool found = false;
  while (const dirent* entry = ::readdir(folder)) {
    if (!to_number(entry->d_name)) continue;
    if ((found = may_know(fmt::format("{}/{}", search.proc, entry->d_name), search))) break;
  }
  ::closedir(folder);
  return found;
}

} // namespace

bool is_in_an_environment(const EnvironmentSearch& search) {
  return found_in_one_look(search) || found_in_one_look(search);
}

std::uint64_t own_start() {
  const auto stat = stat_in("/proc/self");
  return stat ? stat->start : 0;
}

} // namespace debrief::record
