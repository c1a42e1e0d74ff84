// A window over a byte source, for parsers that work on whole records.
//
// view() shows the bytes that have been read and not yet consumed; more() reads further ones behind
// them. At least kPadding readable bytes follow the view, so that simdjson can parse records in
// place.
#pragma once

#include "ingest/byte_source.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace debrief::ingest {

class BlockReader {
public:
  static constexpr std::size_t kPadding = 64; // simdjson's SIMDJSON_PADDING is at most this
  static constexpr std::size_t kUsualBlock = std::size_t{1024} * 1024;
  static constexpr std::size_t kMaxRecordBytes = std::size_t{128} * 1024 * 1024;

  /// Reads about `block` bytes at a time, less where the source has less.
  explicit BlockReader(ByteSource& source, std::size_t block = kUsualBlock);

  ~BlockReader();

  BlockReader(const BlockReader&) = delete;
  BlockReader& operator=(const BlockReader&) = delete;

  std::string_view view() const { return {buffer_.get() + begin_, end_ - begin_}; }

  /// Reads more behind the view (which may move); false at the end of the source. Throws
  /// SourceError, also where a record has more bytes than any can have.
  bool more();

  /// Moves up to `size` bytes out to `into`: those of the view, or where it is empty straight from
  /// the source; 0 at its end. Throws SourceError.
  std::size_t take(char* into, std::size_t size);

  void consume(std::size_t bytes) {
    begin_ += bytes;
    offset_ += bytes;
  }

  /// Where the view begins, in bytes from the start of the (decompressed) source.
  std::uint64_t offset() const { return offset_; }

  /// How many bytes the source is likely to give, of all; see ByteSource.
  std::optional<std::uint64_t> expected_size() const { return source_.expected_size(); }

  /// When the source was last changed; see ByteSource.
  std::optional<Microseconds> modified() const { return source_.modified(); }

  /// Bytes that a parser may touch from the view's start: view().size() plus padding.
  std::size_t capacity() const { return size_ - begin_; }

private:
  ByteSource& source_;
  std::size_t block_;
  std::unique_ptr<char[]>
      buffer_; ///< never cleared: a hundred thousand tiny files would pay for it
  std::size_t size_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  std::uint64_t offset_ = 0;
};

} // namespace debrief::ingest
