#include "ingest/gzip_source.h"

#include <zlib.h>

#include <vector>

namespace debrief {

namespace {

constexpr std::size_t kBlock = std::size_t{256} * 1024;

class GzipSource final : public ByteSource {
public:
  explicit GzipSource(std::unique_ptr<ByteSource> compressed)
      : compressed_(std::move(compressed))
      , block_(kBlock) {
    // 15 + 16: the largest window, gzip header and check sum.
    if (inflateInit2(&stream_, 15 + 16) != Z_OK) throw SourceError("zlib cannot be initialised");
  }

  ~GzipSource() override { inflateEnd(&stream_); }

  GzipSource(const GzipSource&) = delete;
  GzipSource& operator=(const GzipSource&) = delete;

  std::size_t read(char* into, std::size_t size) override {
    stream_.next_out = reinterpret_cast<Bytef*>(into);
    stream_.avail_out = static_cast<uInt>(std::min<std::size_t>(size, UINT32_MAX));
    const uInt wanted = stream_.avail_out;
    while (!ended_ && stream_.avail_out == wanted) {
      if (stream_.avail_in == 0 && !refill()) {
        ended_ = true;
        if (!between_members_) damage_ = "compressed data is cut off";
        break;
      }
      if (between_members_ && !start_member()) break;
      const int status = inflate(&stream_, Z_NO_FLUSH);
      if (status == Z_STREAM_END) {
        between_members_ = true;
      } else if (status != Z_OK && status != Z_BUF_ERROR) {
        ended_ = true;
        damage_ = "compressed data is broken";
      }
    }
    return wanted - stream_.avail_out;
  }

  std::uint64_t bytes_on_disk() const override { return compressed_->bytes_on_disk(); }

  std::string damage() const override { return damage_; }

private:
  bool refill() {
    const std::size_t got = compressed_->read(block_.data(), block_.size());
    stream_.next_in = reinterpret_cast<Bytef*>(block_.data());
    stream_.avail_in = static_cast<uInt>(got);
    return got > 0;
  }

  /// Zero padding after the last member is allowed by gzip; anything else that is no member is
  /// damage.
  bool start_member() {
    while (stream_.avail_in > 0 && *stream_.next_in == 0 && !first_member_) {
      ++stream_.next_in;
      --stream_.avail_in;
    }
    if (stream_.avail_in == 0) return true;
    if (!first_member_ && *stream_.next_in != 0x1F) {
      ended_ = true;
      damage_ = "something follows the compressed data";
      return false;
    }
    if (!first_member_) inflateReset(&stream_);
    first_member_ = false;
    between_members_ = false;
    return true;
  }

  std::unique_ptr<ByteSource> compressed_;
  std::vector<char> block_;
  z_stream stream_{};
  bool first_member_ = true;
  bool between_members_ = true;
  bool ended_ = false;
  std::string damage_;
};

} // namespace

bool is_gzip(const char* bytes, std::size_t size) {
  return size >= 2 && bytes[0] == '\x1F' && bytes[1] == '\x8B';
}

std::unique_ptr<ByteSource> make_gzip_source(std::unique_ptr<ByteSource> compressed) {
  return std::make_unique<GzipSource>(std::move(compressed));
}

} // namespace debrief
