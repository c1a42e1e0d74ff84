#include "ingest/byte_source.h"

#include "ingest/gzip_source.h"
#include "ingest/limited_source.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

namespace debrief {

namespace {

/// Plain read(2), not a mapping: a file that shrinks while it is read then ends early instead of
/// raising SIGBUS.
class FileSource final : public ByteSource {
public:
  explicit FileSource(const std::string& path)
      : descriptor_(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)) {
    if (descriptor_ < 0) throw SourceError(std::strerror(errno));

    struct stat info {};

    if (::fstat(descriptor_, &info) != 0 || !S_ISREG(info.st_mode)) {
      ::close(descriptor_);
      throw SourceError("not a regular file");
    }
    size_ = static_cast<std::uint64_t>(info.st_size);
    ::posix_fadvise(descriptor_, 0, 0, POSIX_FADV_SEQUENTIAL);
  }

  ~FileSource() override { ::close(descriptor_); }

  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;

  std::size_t read(char* into, std::size_t size) override {
    for (;;) {
      const ssize_t got = ::read(descriptor_, into, size);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) throw SourceError(std::strerror(errno));
      bytes_ += static_cast<std::uint64_t>(got);
      return static_cast<std::size_t>(got);
    }
  }

  std::uint64_t bytes_on_disk() const override { return bytes_; }

  /// When it was opened; it may grow or shrink meanwhile.
  std::uint64_t size() const { return size_; }

  bool starts_with_gzip() const {
    std::array<char, 2> magic{};
    const ssize_t got = ::pread(descriptor_, magic.data(), magic.size(), 0);
    return got > 0 && is_gzip(magic.data(), static_cast<std::size_t>(got));
  }

private:
  int descriptor_;
  std::uint64_t size_ = 0;
  std::uint64_t bytes_ = 0;
};

} // namespace

std::unique_ptr<ByteSource> open_file(const std::string& path, std::uint32_t most_unpacked) {
  auto file = std::make_unique<FileSource>(path);
  if (!file->starts_with_gzip()) return file;
  const std::uint64_t size = file->size();
  return limit_unpacked(make_gzip_source(std::move(file)), size, most_unpacked);
}

} // namespace debrief
