#include "util/private_folder.h"

#include <climits>

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>

namespace debrief {

namespace {

constexpr const char* kPattern = "/debrief.XXXXXX";

/// In a user namespace, owners from outside, such as the root that owns /tmp, all look like this.
constexpr uid_t kUnmapped = 65534;

bool has_unmapped_owners() {
  std::ifstream map{"/proc/self/uid_map"};
  std::uint64_t inside = 0;
  std::uint64_t outside = 0;
  std::uint64_t count = 0;
  return static_cast<bool>(map >> inside >> outside >> count) && count < UINT32_MAX;
}

std::string without_links(const char* path) {
  std::array<char, PATH_MAX> resolved{};
  return ::realpath(path, resolved.data()) == nullptr ? "" : resolved.data();
}

/// A path that a signal has to remove. The handler looks at it only while it is whole.
struct FolderSlot {
  enum State { free, taken, whole };

  std::atomic<State> state = free;
  std::array<char, PATH_MAX> path{};
};

constexpr std::size_t kFolderSlots = 64; // more than there are threads that have one
std::array<FolderSlot, kFolderSlots> folder_slots;

std::optional<std::size_t> remember_folder(const std::string& path) {
  if (path.size() >= PATH_MAX) return std::nullopt;
  for (std::size_t i = 0; i < kFolderSlots; ++i) {
    FolderSlot::State expected = FolderSlot::free;
    if (!folder_slots[i].state.compare_exchange_strong(expected, FolderSlot::taken)) continue;
    std::memcpy(folder_slots[i].path.data(), path.c_str(), path.size() + 1);
    folder_slots[i].state = FolderSlot::whole;
    return i;
  }
  return std::nullopt;
}

/// The files right in a folder, by system calls alone: a handler may take no memory.
void unlink_files(int folder) {
  alignas(dirent64) std::array<char, 4096> entries{};
  for (;;) {
    const ssize_t size = ::getdents64(folder, entries.data(), entries.size());
    if (size <= 0) return;
    for (ssize_t at = 0; at < size;) {
      const auto* entry = reinterpret_cast<const dirent64*>(entries.data() + at);
      ::unlinkat(folder, entry->d_name, 0);
      at += entry->d_reclen;
    }
  }
}

} // namespace

bool is_trusted_place(const std::string& folder) {
  std::string path = folder;
  for (;;) {
    struct stat info {};

    if (::lstat(path.empty() ? "/" : path.c_str(), &info) != 0 || !S_ISDIR(info.st_mode))
      return false;
    const bool is_ours = info.st_uid == 0 || info.st_uid == ::geteuid() ||
                         (info.st_uid == kUnmapped && has_unmapped_owners());
    const bool others_write = (info.st_mode & (S_IWGRP | S_IWOTH)) != 0;
    if (!is_ours || (others_write && (info.st_mode & S_ISVTX) == 0)) return false;
    if (path.empty()) return true;
    path.resize(path.rfind('/') == path.npos ? 0 : path.rfind('/'));
  }
}

PrivatePlace private_place(std::size_t longest, std::size_t name_size) {
  if (const char* wanted = std::getenv("TMPDIR"); wanted != nullptr && *wanted == '/') {
    const std::string folder = without_links(wanted);
    if (folder.size() > 1 && folder.size() + 1 + name_size <= longest &&
        folder.find(':') == folder.npos && ::access(folder.c_str(), W_OK | X_OK) == 0 &&
        is_trusted_place(folder))
      return {folder, ""};
  }
  const std::string usual = without_links("/tmp");
  if (usual.empty()) return {"", std::string{"/tmp: "} + std::strerror(errno)};
  if (!is_trusted_place(usual))
    return {"", "other users can replace what is in /tmp; run 'chmod +t /tmp', or set TMPDIR"};
  return {usual, ""};
}

PrivateFolder::PrivateFolder() {
  const PrivatePlace place = private_place(PATH_MAX / 2, std::strlen(kPattern) - 1);
  trouble_ = place.trouble;
  if (!trouble_.empty()) return;
  std::string name = place.folder + kPattern;
  if (::mkdtemp(name.data()) == nullptr) {
    trouble_ = std::strerror(errno);
    return;
  }
  path_ = name;
  slot_ = remember_folder(name);
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
  if (slot_) folder_slots[*slot_].state = FolderSlot::free;
}

void remove_private_folders() {
  for (const FolderSlot& slot : folder_slots) {
    if (slot.state != FolderSlot::whole) continue;
    const int folder = ::open(slot.path.data(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) continue;
    unlink_files(folder);
    ::close(folder);
    ::rmdir(slot.path.data());
  }
}

} // namespace debrief
