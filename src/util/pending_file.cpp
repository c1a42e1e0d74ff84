#include "util/pending_file.h"

#include "util/error.h"
#include "util/text.h"

#include <climits>
#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace debrief {

namespace {

/// Paths that a signal has to remove. The handler may only touch what is async-signal-safe, hence
/// plain arrays; a slot is in use while its first byte is set.
constexpr std::size_t kSlots = 16;
std::array<std::array<char, PATH_MAX>, kSlots> pending_paths;
std::array<std::atomic<bool>, kSlots> pending_used;

std::optional<std::size_t> remember(const std::string& path) {
  if (path.size() >= PATH_MAX) return std::nullopt;
  for (std::size_t slot = 0; slot < kSlots; ++slot) {
    bool free = false;
    if (!pending_used[slot].compare_exchange_strong(free, true)) continue;
    std::memcpy(pending_paths[slot].data(), path.c_str(), path.size() + 1);
    return slot;
  }
  return std::nullopt;
}

void forget(std::optional<std::size_t> slot) {
  if (!slot) return;
  pending_paths[*slot][0] = '\0';
  pending_used[*slot] = false;
}

extern "C" void remove_pending_files(int signal) {
  for (const auto& path : pending_paths)
    if (path[0] != '\0') ::unlink(path.data());
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

/// Follows symbolic links so that the file behind a link is replaced, not the link.
std::string behind_links(const std::string& target) {
  std::error_code error;
  if (!std::filesystem::is_symlink(target, error)) return target;
  const auto resolved = std::filesystem::weakly_canonical(target, error);
  return error ? target : resolved.string();
}

/// Throws what errno says about a place that was to be written.
[[noreturn]] void refuse(const std::string& target, const char* what) {
  const int code = errno;
  throw Error(fmt::format("{}: {} ({}); choose another place or make room there", printable(target),
                          what, std::strerror(code)));
}

void write_all(int descriptor, std::string_view bytes, const std::string& target) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) refuse(target, "cannot be written");
    bytes.remove_prefix(static_cast<std::size_t>(written));
  }
}

bool is_special(const std::string& path) {
  struct stat info {};

  return ::stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
}

} // namespace

PendingFile::PendingFile(const std::string& target)
    : target_(behind_links(target)) {
  if (is_special(target_)) {
    temporary_ = target_;
    descriptor_ = ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("cannot be written");
    return;
  }
  const std::filesystem::path path{target_};
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path{"."};
  temporary_ = (folder / fmt::format(".debrief-{}-XXXXXX", ::getpid())).string();
  descriptor_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
  if (descriptor_ < 0) fail("cannot be written");
  slot_ = remember(temporary_);
  // mkostemp makes the file private; a report gets the rights that any new file gets here.
  const mode_t mask = ::umask(0);
  ::umask(mask);
  ::fchmod(descriptor_, 0666 & ~mask);
}

PendingFile::~PendingFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty() && temporary_ != target_) ::unlink(temporary_.c_str());
  forget(slot_);
}

void PendingFile::fail(const char* what) const {
  refuse(target_, what);
}

void PendingFile::write(std::string_view bytes) {
  write_all(descriptor_, bytes, target_);
}

void PendingFile::close() {
  const int descriptor = descriptor_;
  descriptor_ = -1;
  // Some file systems report a full disk only here.
  if (::close(descriptor) != 0) fail("cannot be written");
}

void PendingFile::commit() {
  close();
  if (temporary_ == target_) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot be replaced");
  temporary_.clear();
  forget(slot_);
  slot_.reset();
}

void write_file(const std::string& target, std::string_view bytes) {
  if (target == "-") {
    // By its descriptor: what stdout leads to may be a file that others append to.
    write_all(STDOUT_FILENO, bytes, "standard output");
    return;
  }
  PendingFile file{target};
  file.write(bytes);
  file.commit();
}

void remove_pending_files_on_signal() {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP})
    ::signal(signal, remove_pending_files);
}

} // namespace debrief
