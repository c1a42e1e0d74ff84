#include "record/minute_files.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <new>
#include <utility>

namespace debrief::record {

namespace {

constexpr std::int64_t kSecondsPerMinute = 60;
/// Lines repeat so much that more effort saves little.
constexpr int kCompression = 3;
/// 15 bits of window, and 16 for gzip's header.
constexpr int kGzipWindow = 15 + 16;

std::string hour_folder(std::int64_t seconds) {
  return fmt::format("{:%Y%m%d%H}", fmt::gmtime(static_cast<std::time_t>(seconds)));
}

/// Whether all of it was written; errno says why not.
bool write_whole(int descriptor, const void* bytes, std::size_t size) {
  const auto* at = static_cast<const char*>(bytes);
  while (size > 0) {
    const ssize_t done = ::write(descriptor, at, size);
    if (done < 0 && errno == EINTR) continue;
    if (done < 0) return false;
    at += done;
    size -= static_cast<std::size_t>(done);
  }
  return true;
}

} // namespace

MinuteFiles::MinuteFiles(std::filesystem::path folder, std::string node)
    : folder_(std::move(folder))
    , node_(std::move(node)) {
  if (::deflateInit2(&stream_, kCompression, Z_DEFLATED, kGzipWindow, MAX_MEM_LEVEL,
                     Z_DEFAULT_STRATEGY) != Z_OK)
    throw std::bad_alloc{};
}

MinuteFiles::~MinuteFiles() {
  if (descriptor_ >= 0) ::close(descriptor_);
  ::deflateEnd(&stream_);
}

void MinuteFiles::lose(int code) {
  ++lost_;
  trouble_ = std::strerror(code);
}

void MinuteFiles::append(Microseconds time, std::string_view lines) {
  const std::int64_t seconds = time / kSecond;
  const std::int64_t minute = seconds - seconds % kSecondsPerMinute;
  if (minute != minute_) {
    finish();
    open(minute);
  }
  if (lines.empty()) return;
  if (descriptor_ < 0) open(minute); // room may have been made meanwhile
  if (descriptor_ < 0 || !write(lines)) {
    lose(errno);
    return;
  }
  ++written_;
  compress(lines, Z_NO_FLUSH);
}

void MinuteFiles::open(std::int64_t minute) {
  minute_ = minute;
  std::error_code error;
  const auto folder = folder_ / "incremental" / hour_folder(minute);
  std::filesystem::create_directories(folder, error);
  path_ = folder / fmt::format("{}.{}.json", minute, node_);
  descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  size_ = descriptor_ >= 0 ? ::lseek(descriptor_, 0, SEEK_END) : 0;
  packed_.clear();
  ::deflateReset(&stream_);
}

bool MinuteFiles::write(std::string_view lines) {
  if (write_whole(descriptor_, lines.data(), lines.size())) {
    size_ += static_cast<std::int64_t>(lines.size());
    return true;
  }
  const int code = errno;
  // Half a line would be the end of what can be read.
  static_cast<void>(!::ftruncate(descriptor_, size_));
  errno = code;
  return false;
}

void MinuteFiles::compress(std::string_view bytes, int flush) {
  std::array<unsigned char, 16384> out;
  // zlib does not write to its input, but has no const in this version's interface.
  stream_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
  stream_.avail_in = static_cast<uInt>(bytes.size());
  do {
    stream_.next_out = out.data();
    stream_.avail_out = static_cast<uInt>(out.size());
    ::deflate(&stream_, flush);
    packed_.insert(packed_.end(), out.data(), out.data() + (out.size() - stream_.avail_out));
  } while (stream_.avail_out == 0);
}

bool MinuteFiles::write_packed(const std::filesystem::path& target) {
  // A file without a name vanishes with the program; not every file system has them.
  const int descriptor =
      ::open(target.parent_path().c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0666);
  if (descriptor >= 0) {
    const std::string name = fmt::format("/proc/self/fd/{}", descriptor);
    const bool done =
        write_whole(descriptor, packed_.data(), packed_.size()) &&
        ::linkat(AT_FDCWD, name.c_str(), AT_FDCWD, target.c_str(), AT_SYMLINK_FOLLOW) == 0;
    ::close(descriptor);
    if (done) return true;
  }
  const std::string temporary = target.string() + ".part";
  const int named = ::open(temporary.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (named < 0) return false;
  const bool whole = write_whole(named, packed_.data(), packed_.size());
  const bool closed = ::close(named) == 0;
  if (whole && closed && ::rename(temporary.c_str(), target.c_str()) == 0) return true;
  ::unlink(temporary.c_str());
  return false;
}

void MinuteFiles::finish() {
  if (descriptor_ < 0) return;
  compress({}, Z_FINISH);
  ::close(std::exchange(descriptor_, -1));
  minute_ = -1;
  if (size_ == 0) {
    ::unlink(path_.c_str());
    return;
  }
  // What an earlier recording of the same minute wrote is in the plain file alone.
  if (static_cast<std::uint64_t>(size_) == stream_.total_in && write_packed(path_.string() + ".gz"))
    ::unlink(path_.c_str());
}

} // namespace debrief::record
