#include "export/byte_sink.h"

#include <zlib.h>

#include <array>
#include <new>

namespace debrief::exports {

struct ByteSink::Deflater {
  z_stream stream{};
  std::array<char, 65'536> out{};

  Deflater() {
    constexpr int kGzip = 15 + 16; // the largest window, with gzip's header; its time stays 0
    if (deflateInit2(&stream, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) !=
        Z_OK)
      throw std::bad_alloc{};
  }

  ~Deflater() { deflateEnd(&stream); }

  Deflater(const Deflater&) = delete;
  Deflater& operator=(const Deflater&) = delete;
};

ByteSink::ByteSink(const std::string& target)
    : file_(target)
    , deflater_(target.ends_with(".gz") ? std::make_unique<Deflater>() : nullptr) {}

ByteSink::~ByteSink() = default;

void ByteSink::compress(std::string_view text, bool last) {
  z_stream& stream = deflater_->stream;
  // zlib reads through this pointer and never writes; its type is older than const.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  do {
    stream.next_out = reinterpret_cast<Bytef*>(deflater_->out.data());
    stream.avail_out = static_cast<uInt>(deflater_->out.size());
    deflate(&stream, last ? Z_FINISH : Z_NO_FLUSH);
    const std::size_t made = deflater_->out.size() - stream.avail_out;
    file_.write({deflater_->out.data(), made});
    bytes_ += made;
  } while (stream.avail_out == 0);
}

void ByteSink::write(std::string_view text) {
  if (deflater_) return compress(text, false);
  file_.write(text);
  bytes_ += text.size();
}

void ByteSink::commit() {
  if (deflater_) compress({}, true);
  file_.commit();
}

} // namespace debrief::exports
