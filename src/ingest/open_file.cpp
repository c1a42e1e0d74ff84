#include "ingest/open_file.h"

#include "ingest/gzip_source.h"
#include "ingest/limited_source.h"
#include "util/memory.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>

namespace debrief::ingest {

namespace {

/// Plain read(2), not a mapping: a file that shrinks while it is read then ends early instead of
/// raising SIGBUS.
class FileSource final : public ByteSource {
public:
  /// Owns the descriptor from here on.
  explicit FileSource(int descriptor)
      : descriptor_(descriptor) {
    struct stat info {};

    if (::fstat(descriptor_, &info) != 0 || !S_ISREG(info.st_mode)) {
      ::close(descriptor_);
      throw SourceError("not a regular file");
    }
    size_ = static_cast<std::uint64_t>(info.st_size);
    modified_ = info.st_mtim.tv_sec * kSecond + info.st_mtim.tv_nsec / 1000;
    stored_ = static_cast<std::uint64_t>(info.st_blocks) * kBytesOfBlock;
    // Some file systems count no blocks; they do not know of holes either.
    if (stored_ == 0 && ::lseek(descriptor_, 0, SEEK_DATA) == 0) stored_ = size_;
    if (stored_ == 0) ::lseek(descriptor_, 0, SEEK_SET);
    ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
  }

  ~FileSource() override { ::close(descriptor_); }

  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  std::size_t read(char* into, std::size_t size) override {
    for (;;) {
      const ssize_t got = ::read(descriptor_, into, size);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return fail(errno);
      bytes_ += static_cast<std::uint64_t>(got);
      return static_cast<std::size_t>(got);
    }
  }

  std::uint64_t bytes_on_disk() const override { return bytes_; }

  std::string damage() const override { return damage_; }

  /// When it was opened; it may grow or shrink meanwhile.
  std::optional<std::uint64_t> expected_size() const override { return size_; }

  std::optional<Microseconds> modified() const override { return modified_; }

  std::uint64_t size() const { return size_; }

  /// What it takes on the disk: less than its size where it has holes, or where the file system
  /// packs it.
  std::uint64_t stored() const { return std::min(stored_, size_); }

  bool starts_with_gzip() const {
    std::array<char, 2> magic{};
    const ssize_t got = ::pread(descriptor_, magic.data(), magic.size(), 0);
    return got > 0 && is_gzip(magic.data(), static_cast<std::size_t>(got));
  }

private:
  /// What came before a bad sector is good: the file ends there, and says so.
  std::size_t fail(int code) {
    throw_if_no_memory(code);
    if (bytes_ == 0) throw SourceError(std::strerror(code));
    damage_ = fmt::format("cannot be read to its end ({})", std::strerror(code));
    return 0;
  }

  static constexpr std::uint64_t kBytesOfBlock = 512; // of st_blocks, whatever the file system has

  int descriptor_;
  std::uint64_t size_ = 0;
  std::uint64_t stored_ = 0;
  Microseconds modified_ = 0;
  std::uint64_t bytes_ = 0;
  std::string damage_;
};

/// O_NONBLOCK: a pipe that takes a file's place is refused, not waited for.
constexpr int kToRead = O_RDONLY | O_CLOEXEC | O_NONBLOCK;
/// O_PATH: a folder need not be listable to be gone through.
constexpr int kFolder = O_PATH | O_DIRECTORY | O_CLOEXEC;

int open_or_throw(int folder, const std::string& name, int flags) {
  const int descriptor = ::openat(folder, name.c_str(), flags);
  const int code = errno;
  if (descriptor >= 0) return descriptor;
  throw_if_no_memory(code);
  throw SourceError(std::strerror(code));
}

/// Opens `name` in a folder, which is closed either way.
int step_into(int folder, const std::string& name, int flags) {
  const int descriptor = ::openat(folder, name.c_str(), flags);
  const int code = errno;
  ::close(folder);
  if (descriptor >= 0) return descriptor;
  throw_if_no_memory(code);
  throw SourceError(code == ELOOP ? "a symbolic link has taken its place" : std::strerror(code));
}

int open_below(const std::string& root, const std::string& path) {
  int folder = open_or_throw(AT_FDCWD, root, kFolder);
  std::size_t begin = 0;
  for (std::size_t slash; (slash = path.find('/', begin)) != std::string::npos; begin = slash + 1)
    folder = step_into(folder, path.substr(begin, slash - begin), kFolder | O_NOFOLLOW);
  return step_into(folder, path.substr(begin), kToRead | O_NOFOLLOW);
}

std::unique_ptr<ByteSource> source_of(int descriptor, std::uint32_t most_unpacked) {
  auto file = std::make_unique<FileSource>(descriptor);
  const std::uint64_t stored = file->stored();
  if (file->starts_with_gzip())
    return limit_unpacked(make_gzip_source(std::move(file)), stored, most_unpacked);
  // Holes cost nothing to write, and as much as bytes to read.
  if (file->size() / most_unpacked <= stored) return file;
  return limit_holes(std::move(file), stored, most_unpacked);
}

} // namespace

std::unique_ptr<ByteSource> open_file(const std::string& path, std::uint32_t most_unpacked) {
  return source_of(open_or_throw(AT_FDCWD, path, kToRead), most_unpacked);
}

std::unique_ptr<ByteSource> open_file_below(const std::string& root, const std::string& path,
                                            std::uint32_t most_unpacked) {
  return source_of(open_below(root, path), most_unpacked);
}

FileParts::FileParts(const std::string& root, const std::string& path, bool follow_links)
    : descriptor_(follow_links ? open_or_throw(AT_FDCWD, root + "/" + path, kToRead)
                               : open_below(root, path)) {
  struct stat info {};

  if (::fstat(descriptor_, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(descriptor_);
    throw SourceError("not a regular file");
  }
  constexpr std::uint64_t kBytesOfBlock = 512;
  size_ = static_cast<std::uint64_t>(info.st_size);
  const std::uint64_t stored = static_cast<std::uint64_t>(info.st_blocks) * kBytesOfBlock;
  // Some file systems count no blocks of small files.
  if (stored > 0 && size_ / kMaxUnpacked > stored) size_ = 0;
}

FileParts::~FileParts() {
  ::close(descriptor_);
}

bool FileParts::read(std::uint64_t offset, std::span<char> into) const {
  while (!into.empty()) {
    const ssize_t got = ::pread(descriptor_, into.data(), into.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) {
      throw_if_no_memory(errno);
      throw SourceError(std::strerror(errno));
    }
    if (got == 0) return false;
    into = into.subspan(static_cast<std::size_t>(got));
    offset += static_cast<std::uint64_t>(got);
  }
  return true;
}

} // namespace debrief::ingest
