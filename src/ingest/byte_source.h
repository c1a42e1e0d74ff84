// Where a reader's bytes come from. Readers see bytes, never paths: a compressed file, and later a
// remote one, needs no second reader.
#pragma once

#include "util/time.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>

namespace debrief::ingest {

/// A file that cannot be opened or read; the message says why ("Permission denied").
class SourceError : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

class ByteSource {
public:
  ByteSource() = default;
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  /// Reads up to `size` bytes into `into`; 0 at the end, or behind the last byte that can be read.
  /// Throws SourceError where none can.
  virtual std::size_t read(char* into, std::size_t size) = 0;

  /// How many bytes it is likely to give; nothing where that cannot be told before.
  virtual std::optional<std::uint64_t> expected_size() const { return std::nullopt; }

  /// When it was last changed; nothing where that is not known.
  virtual std::optional<Microseconds> modified() const { return std::nullopt; }

  /// Bytes taken from the disk so far.
  virtual std::uint64_t bytes_on_disk() const = 0;

  /// After the end: what was wrong with the bytes, such as a cut-off archive; empty where nothing
  /// was.
  virtual std::string damage() const { return {}; }
};

} // namespace debrief::ingest
