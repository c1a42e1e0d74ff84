#include "ingest/block_reader.h"

#include <cstring>

namespace debrief {

BlockReader::BlockReader(ByteSource& source, std::size_t block)
    : source_(source)
    , block_(block)
    , buffer_(block + kPadding) {}

bool BlockReader::more() {
  if (begin_ > 0) {
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ + block_ / 2 + kPadding > buffer_.size()) buffer_.resize(buffer_.size() * 2);
  const std::size_t got = source_.read(buffer_.data() + end_, buffer_.size() - kPadding - end_);
  end_ += got;
  return got > 0;
}

} // namespace debrief
