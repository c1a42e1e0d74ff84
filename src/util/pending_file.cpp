#include "util/pending_file.h"

#include "util/child_process.h"
#include "util/error.h"
#include "util/private_folder.h"
#include "util/text.h"

#include <climits>
#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <random>

namespace debrief {

namespace {

/// A path that a signal has to remove. The handler may only touch what is async-signal-safe, hence
/// plain arrays. It may come at any moment, on any thread: it looks at a path only while that is
/// whole.
struct Slot {
  enum State { free, taken, whole };

  std::atomic<State> state = free;
  std::array<char, PATH_MAX> path{};
};

constexpr std::size_t kSlots = 64; // more than there are threads that write
std::array<Slot, kSlots> slots;

std::optional<std::size_t> remember(const std::string& path) {
  if (path.size() >= PATH_MAX) return std::nullopt;
  for (std::size_t i = 0; i < kSlots; ++i) {
    Slot::State expected = Slot::free;
    if (!slots[i].state.compare_exchange_strong(expected, Slot::taken)) continue;
    std::memcpy(slots[i].path.data(), path.c_str(), path.size() + 1);
    slots[i].state = Slot::whole;
    return i;
  }
  return std::nullopt;
}

void forget(std::optional<std::size_t> slot) {
  if (slot) slots[*slot].state = Slot::free;
}

constexpr std::array kEndingSignals{SIGINT,  SIGTERM,   SIGHUP,  SIGQUIT, SIGPIPE, SIGXCPU,
                                    SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2};
std::array<bool, NSIG> ignored_before{}; // when the program started

std::atomic<bool> ending = false; // a signal ends the program: nothing new may appear
std::atomic<int> being_opened = 0;

int open_new(const std::string& path) {
  ++being_opened;
  errno = EINTR;
  const int descriptor =
      ending ? -1 : ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  const int code = errno;
  --being_opened;
  errno = code;
  return descriptor;
}

extern "C" void end_by_signal(int signal) {
  remove_pending_files();
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

/// A hidden name that no other file has.
std::string temporary_name() {
  std::random_device random;
  return fmt::format(".debrief-{}-{:08x}{:08x}", ::getpid(), random(), random());
}

/// The descriptor that a name such as "/dev/stdout" or "/dev/fd/3" stands for.
std::optional<int> named_descriptor(const std::filesystem::path& path) {
  const std::string text = path.lexically_normal().string();
  if (text == "/dev/stdout") return STDOUT_FILENO;
  if (text == "/dev/stderr") return STDERR_FILENO;
  for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
    int number = -1;
    if (!text.starts_with(folder)) continue;
    const char* const end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data() + folder.size(), end, number);
    if (error == std::errc{} && rest == end && number >= 0) return number;
  }
  return std::nullopt;
}

/// What symbolic links lead to, also where nothing is there yet, so that not the link is replaced.
/// Stops at what stands for a descriptor: what that leads to may be a file that others append to.
std::filesystem::path behind_links(const std::string& target) {
  constexpr int kMaxLinks = 40; // as many as the system follows
  std::filesystem::path path{target};
  std::error_code error;
  for (int links = 0;
       links < kMaxLinks && !named_descriptor(path) && std::filesystem::is_symlink(path, error);
       ++links) {
    const auto next = std::filesystem::read_symlink(path, error);
    if (error) break;
    path = path.parent_path() / next; // an absolute one takes the place of all
  }
  return path;
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
    : target_(behind_links(target).string()) {
  const auto named = named_descriptor(target_);
  if (std::error_code error; !named && std::filesystem::is_symlink(target_, error)) {
    errno = ELOOP;
    fail("cannot be written");
  }
  if (named || is_special(target_)) {
    temporary_ = target_;
    descriptor_ =
        named ? ::fcntl(*named, F_DUPFD_CLOEXEC, 0) : ::open(target_.c_str(), O_WRONLY | O_CLOEXEC);
    if (descriptor_ < 0) fail("cannot be written");
    return;
  }
  const std::filesystem::path path{target_};
  const auto folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path{"."};
  temporary_ = (folder / temporary_name()).string();
  slot_ = remember(temporary_); // before it is there: a signal may come right after
  descriptor_ = open_new(temporary_);
  if (descriptor_ >= 0) return;
  const int code = errno;
  forget(slot_);
  errno = code;
  fail("cannot be written");
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
  // Some file systems tell of a full disk only here.
  if (::close(descriptor) != 0) fail("cannot be written");
}

void PendingFile::commit() {
  struct stat info {};

  // Who may read the file that is replaced, and nobody else, may read the new one.
  if (temporary_ != target_ && ::stat(target_.c_str(), &info) == 0)
    ::fchmod(descriptor_, info.st_mode & 0777U);
  close();
  if (temporary_ == target_) return;
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) fail("cannot be replaced");
  temporary_.clear();
  forget(slot_);
  slot_.reset();
}

void write_file(const std::string& target, std::string_view bytes) {
  if (is_stdout(target)) {
    // By its descriptor: what stdout leads to may be a file that others append to.
    write_all(STDOUT_FILENO, bytes, "standard output");
    return;
  }
  PendingFile file{target};
  file.write(bytes);
  file.commit();
}

bool is_stdout(const std::string& target) {
  return target == "-" || named_descriptor(target) == STDOUT_FILENO;
}

void flush_stdout() {
  if (std::fflush(stdout) != 0 || std::ferror(stdout) != 0)
    refuse("standard output", "cannot be written");
}

void remove_pending_files() {
  // Files that other threads are about to open are waited for; not for long, since it may be the
  // thread that the signal came to.
  constexpr int kMaxWaits = 50;
  constexpr timespec kWait{0, 1'000'000};
  ending = true;
  kill_children();
  for (int waits = 0; being_opened > 0 && waits < kMaxWaits; ++waits)
    ::nanosleep(&kWait, nullptr);
  for (const Slot& slot : slots)
    if (slot.state == Slot::whole) ::unlink(slot.path.data());
  remove_private_folders();
}

void remove_pending_files_on_signal() {
  for (const int signal : kEndingSignals) {
    struct sigaction before {};

    ::sigaction(signal, nullptr, &before);
    ignored_before[static_cast<std::size_t>(signal)] = before.sa_handler == SIG_IGN;
    if (before.sa_handler != SIG_IGN) ::signal(signal, end_by_signal);
  }
  // A file that may not grow further is an error like a full disk.
  ignored_before[SIGXFSZ] = ::signal(SIGXFSZ, SIG_IGN) == SIG_IGN;

  // Not touched here, but by whoever starts another program.
  struct sigaction child {};

  ::sigaction(SIGCHLD, nullptr, &child);
  ignored_before[SIGCHLD] = child.sa_handler == SIG_IGN;
}

void restore_signals() {
  const auto restore = [](int signal) {
    ::signal(signal, ignored_before[static_cast<std::size_t>(signal)] ? SIG_IGN : SIG_DFL);
  };
  for (const int signal : kEndingSignals)
    restore(signal);
  restore(SIGXFSZ);
  restore(SIGCHLD);
}

} // namespace debrief
