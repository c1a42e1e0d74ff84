#include "ingest/block_reader.h"

#include "util/spare.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace debrief::ingest {

namespace {

/// Twice what a small source has, so that its end is met without a larger buffer: a fresh megabyte
/// for each of a hundred thousand tiny files costs more than reading them.
std::size_t block_for(const ByteSource& source, std::size_t block) {
  constexpr std::uint64_t kLeast = 4096;
  const std::uint64_t size = source.expected_size().value_or(block);
  return size >= block / 2
             ? block
             : std::min<std::uint64_t>(block, std::max<std::uint64_t>(kLeast, 2 * size));
}

/// Of kUsualBlock bytes, of the reader that this thread had before.
using SpareBuffer = std::unique_ptr<char[]>;

std::unique_ptr<char[]> buffer_of(std::size_t block) {
  if (block == BlockReader::kUsualBlock && spare<SpareBuffer>() != nullptr)
    return take_spare<SpareBuffer>();
  return std::make_unique_for_overwrite<char[]>(block + BlockReader::kPadding);
}

} // namespace

BlockReader::BlockReader(ByteSource& source, std::size_t block)
    : source_(source)
    , block_(block_for(source, block))
    , buffer_(buffer_of(block_))
    , size_(block_ + kPadding) {}

BlockReader::~BlockReader() {
  if (size_ == kUsualBlock + kPadding) spare<SpareBuffer>() = std::move(buffer_);
}

bool BlockReader::more() {
  if (begin_ > 0) {
    std::memmove(buffer_.get(), buffer_.get() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
  }
  if (end_ + block_ / 2 + kPadding > size_) {
    if (end_ > kMaxRecordBytes) throw SourceError("a record of it has no end");
    auto larger = std::make_unique_for_overwrite<char[]>(size_ * 2);
    std::memcpy(larger.get(), buffer_.get(), end_);
    buffer_ = std::move(larger);
    size_ *= 2;
  }
  const std::size_t got = source_.read(buffer_.get() + end_, size_ - kPadding - end_);
  end_ += got;
  return got > 0;
}

std::size_t BlockReader::take(char* into, std::size_t size) {
  const std::string_view known = view().substr(0, size);
  if (!known.empty()) std::memcpy(into, known.data(), known.size());
  const std::size_t got = known.empty() ? source_.read(into, size) : known.size();
  begin_ += known.size();
  offset_ += got;
  return got;
}

} // namespace debrief::ingest
