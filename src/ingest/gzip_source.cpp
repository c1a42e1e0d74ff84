#include "ingest/gzip_source.h"

#include <algorithm>
#include <cstdint>
#include <isa-l/igzip_lib.h>
#include <vector>

namespace debrief::ingest {

namespace {

constexpr std::size_t kBlock = std::size_t{256} * 1024;

class GzipSource final : public ByteSource {
public:
  explicit GzipSource(std::unique_ptr<ByteSource> compressed)
      : compressed_(std::move(compressed))
      , block_(kBlock) {
    start_inflating();
  }

  std::size_t read(char* into, std::size_t size) override {
    state_.next_out = reinterpret_cast<std::uint8_t*>(into);
    state_.avail_out = static_cast<std::uint32_t>(std::min<std::size_t>(size, UINT32_MAX));
    const std::uint32_t wanted = state_.avail_out;
    while (!ended_ && state_.avail_out == wanted && (!between_members_ || start_member())) {
      const std::uint32_t before = state_.avail_in;
      const int status = go_on();
      const bool stuck = before > 0 && state_.avail_in == before &&
                         state_.avail_out == wanted; // on what no member has
      if (status < 0 || (stuck && state_.block_state != ISAL_BLOCK_FINISH))
        end("compressed data is broken");
      else if (state_.block_state == ISAL_BLOCK_FINISH)
        between_members_ = true;
      else if (state_.avail_out == wanted && state_.avail_in == 0 && !refill())
        end("compressed data is cut off");
    }
    return wanted - state_.avail_out;
  }

  std::uint64_t bytes_on_disk() const override { return compressed_->bytes_on_disk(); }

  std::optional<Microseconds> modified() const override { return compressed_->modified(); }

  std::string damage() const override {
    const std::string below = compressed_->damage();
    return below.empty() ? damage_ : below; // what is cut off follows from it
  }

private:
  /// The header is read apart: isal_inflate() forgets which of its parts there are when it has to
  /// wait for more of it.
  void start_inflating() {
    isal_inflate_reset(&state_);
    state_.crc_flag = ISAL_GZIP_NO_HDR_VER; // the check sum is looked at
    isal_gzip_header_init(&header_);
    in_header_ = true;
  }

  int go_on() {
    if (!in_header_) return isal_inflate(&state_);
    const int status = isal_read_gzip_header(&state_, &header_);
    in_header_ = status != ISAL_DECOMP_OK;
    return status;
  }

  void end(const char* damage) {
    ended_ = true;
    damage_ = damage;
  }

  bool refill() {
    const std::size_t got = compressed_->read(block_.data(), block_.size());
    state_.next_in = reinterpret_cast<std::uint8_t*>(block_.data());
    state_.avail_in = static_cast<std::uint32_t>(got);
    return got > 0;
  }

  /// Goes to the next member; false at the file's end. Zero padding after the last member is
  /// allowed by gzip; anything else that is no member is damage.
  bool start_member() {
    for (; state_.avail_in > 0 || refill(); ++state_.next_in, --state_.avail_in) {
      if (*state_.next_in == 0 && !first_member_) continue;
      if (*state_.next_in != 0x1F && !first_member_) break;
      if (!first_member_) start_inflating();
      first_member_ = false;
      between_members_ = false;
      return true;
    }
    end(state_.avail_in > 0 ? "something follows the compressed data" : "");
    return false;
  }

  std::unique_ptr<ByteSource> compressed_;
  std::vector<char> block_;
  inflate_state state_{};
  isal_gzip_header header_{};
  bool in_header_ = true;
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

} // namespace debrief::ingest
