// Cuts the events of a trace into blocks that can be parsed as one document each: the text between
// two events' boundaries, with room for the brackets that make an array of it.
#pragma once

#include "ingest/block_reader.h"
#include "ingest/chrome_trace/repair.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace debrief::ingest::chrome_trace {

/// A run of a file's bytes. They can be changed, if their number stays.
class TraceBlock {
public:
  explicit TraceBlock(std::uint64_t offset = 0)
      : offset_(offset) {}

  /// Empty, as a new one at `offset`, in the memory that it has.
  void restart(std::uint64_t offset);

  void reserve(std::size_t capacity);
  void append(std::string_view bytes);

  /// Behind the text: room for `count` more bytes, of which grow() makes the first part of it.
  char* room(std::size_t count);

  void grow(std::size_t count) { size_ += count; }

  void shrink(std::size_t size) { size_ = size; }

  std::string_view text() const { return {begin(), size_}; }

  char* bytes() { return buffer_.get() + 1; }

  /// In the (decompressed) file.
  std::uint64_t offset() const { return offset_; }

  /// "[text]", followed by padding. A comma at the text's end, between two events, gives its place
  /// to the bracket until restore().
  std::string_view as_array();
  void restore();

  bool last = false;   ///< of the file
  Repaired repaired{}; ///< its bytes that were not UTF-8; `first` is within the text

private:
  const char* begin() const { return buffer_ == nullptr ? nullptr : buffer_.get() + 1; }

  std::unique_ptr<char[]> buffer_; ///< '[', the text, ']', padding
  std::size_t capacity_ = 0;       ///< of the text
  std::size_t size_ = 0;
  std::uint64_t offset_;
  bool comma_ = false; ///< as_array() overwrote it
};

/// The first place from `at` on that is no white space.
std::size_t skip_space(std::string_view text, std::size_t at);

/// Whether the comma at `comma` parts two events, by what is around it.
bool is_boundary(std::string_view text, std::size_t comma);

/// Where the last event of `text` starts, behind the comma that parts it from the one before it; 0
/// where none is to be seen. What looks like it can also be an object inside of an event.
std::size_t find_last_boundary(std::string_view text);

class BlockSplitter {
public:
  /// `bytes` is at the first byte after the '[' that opens the events. Blocks have about `size`
  /// bytes; where no boundary is found within four times that, a block ends anywhere.
  BlockSplitter(BlockReader& bytes, std::size_t size)
      : bytes_(bytes)
      , size_(size) {}

  /// False after the last block. What `block` held is gone, its memory is used again. Throws
  /// SourceError.
  bool next(TraceBlock& block);

private:
  void fill(TraceBlock& block, std::size_t size);

  BlockReader& bytes_;
  std::size_t size_;
  std::string carry_; ///< read already, behind the last block
  bool ended_ = false;
};

} // namespace debrief::ingest::chrome_trace
