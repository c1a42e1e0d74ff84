// Where a reader's bytes come from. Readers see bytes, never paths: a compressed file, and later a
// remote one, needs no second reader.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
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

  /// Bytes taken from the disk so far.
  virtual std::uint64_t bytes_on_disk() const = 0;

  /// After the end: what was wrong with the bytes, such as a cut-off archive; empty where nothing
  /// was.
  virtual std::string damage() const { return {}; }
};

/// How many times its size a compressed file may unpack to, unless the user says otherwise.
inline constexpr std::uint32_t kMaxUnpacked = 200;

/// Opens a local file; gzip is recognized by its first bytes, not by its name, and may unpack to
/// `most_unpacked` times its size (limited_source.h). Throws SourceError.
std::unique_ptr<ByteSource> open_file(const std::string& path,
                                      std::uint32_t most_unpacked = kMaxUnpacked);

/// The same for a file below a folder, by its path from there, of which no part may be a symbolic
/// link at the moment of opening: what was listed as a file or a folder and is swapped for a link
/// before it is read leads nowhere. The folder itself may be behind links.
std::unique_ptr<ByteSource> open_file_below(const std::string& root, const std::string& path,
                                            std::uint32_t most_unpacked = kMaxUnpacked);

} // namespace debrief::ingest
