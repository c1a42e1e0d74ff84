#include "util/private_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace debrief {

namespace {

constexpr const char* kPattern = "/debrief.XXXXXX";

std::string place(std::size_t longest) {
  const char* wanted = std::getenv("TMPDIR");
  if (wanted == nullptr || *wanted != '/') return "/tmp";
  const std::string folder{wanted};
  return folder.size() + std::strlen(kPattern) <= longest ? folder : "/tmp";
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

PrivateFolder::PrivateFolder(std::size_t longest) {
  std::string name = place(longest) + kPattern;
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
