// The bytes of a JSON or UBJSON document, for nlohmann's parsers: one after the other, so that a
// model of any size is read in little memory.
#pragma once

#include "ingest/block_reader.h"

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace debrief::ingest::xgboost {

class DocumentStream {
public:
  /// `text`: it is JSON, in which bare NaN and Infinity become null.
  DocumentStream(BlockReader& bytes, bool text);

  /// At the document's end, and where a single value has more bytes than any can have.
  bool at_end();

  /// Not at the end.
  char current() const { return instead_.empty() ? view_[at_] : instead_.front(); }

  void advance();

  /// A value has ended.
  void end_value() { since_value_ = 0; }

  /// Whether the last value is a number that nothing follows: it may go on behind a cut.
  bool ends_in_number() const;

  /// Bytes so far.
  std::uint64_t taken() const { return taken_; }

private:
  bool has_bytes();
  void take();
  void replace_bare_words();

  BlockReader& bytes_;
  bool is_text_;
  std::string_view view_;
  std::size_t at_ = 0;
  std::uint64_t taken_ = 0;
  std::uint64_t since_value_ = 0;
  std::string_view instead_; ///< what stands for bytes that were taken
  char last_ = 0;            ///< that was taken
  bool in_string_ = false;
  bool escaped_ = false;
};

/// An input iterator over a stream; the default is the end.
class DocumentIterator {
public:
  using iterator_category = std::input_iterator_tag;
  using value_type = char;
  using difference_type = std::ptrdiff_t;
  using pointer = const char*;
  using reference = char;

  DocumentIterator() = default;

  explicit DocumentIterator(DocumentStream& stream)
      : stream_(&stream) {}

  char operator*() const { return stream_->current(); }

  DocumentIterator& operator++() {
    stream_->advance();
    return *this;
  }

  DocumentIterator operator++(int) { // NOLINT(cert-dcl21-cpp)
    DocumentIterator before = *this;
    ++*this;
    return before;
  }

  friend bool operator==(const DocumentIterator& a, const DocumentIterator& b) {
    return a.is_end() == b.is_end();
  }

private:
  bool is_end() const { return stream_ == nullptr || stream_->at_end(); }

  DocumentStream* stream_ = nullptr;
};

} // namespace debrief::ingest::xgboost
