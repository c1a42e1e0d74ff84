#include "record/sole_recorder.h"

#include "util/text.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

namespace debrief::record {

namespace {

/// Another user could hold a lock that is theirs.
bool is_own_lock(int descriptor) {
  struct stat info {};

  return ::fstat(descriptor, &info) == 0 && info.st_uid == ::geteuid();
}

/// Whether the path still leads to the file that is open: its owner removes it in the end.
bool is_still(int descriptor, const std::filesystem::path& path) {
  struct stat opened {};

  struct stat named {};

  return ::fstat(descriptor, &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
         opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

} // namespace

SoleRecorder::SoleRecorder(const std::filesystem::path& folder, const std::string& node)
    : file_(folder / fmt::format(".{}.lock", node)) {
  constexpr int kTries = 10;
  for (int tries = 0; tries < kTries; ++tries)
    if (lock()) return;
}

/// False: the file was removed meanwhile, and there may be another.
bool SoleRecorder::lock() {
  descriptor_ = ::open(file_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0600);
  if (descriptor_ >= 0 && !is_own_lock(descriptor_)) {
    trouble_ = sentence("it belongs to another user");
  } else if (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) {
    if (is_still(descriptor_, file_)) return true;
  } else if (descriptor_ >= 0 && errno == EWOULDBLOCK) {
    sole_ = false;
  } else {
    trouble_ = sentence(std::strerror(errno));
  }
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  return !sole_ || !trouble_.empty();
}

std::string SoleRecorder::sentence(const char* why) const {
  return fmt::format("{} can't be locked ({}), so each recorder of this folder samples the machine",
                     printable(file_.string()), why);
}

SoleRecorder::~SoleRecorder() {
  if (descriptor_ < 0) return;
  ::unlink(file_.c_str()); // while it is locked
  ::close(descriptor_);
}

} // namespace debrief::record
