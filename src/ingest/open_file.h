// Opens a file of a job as a source of its bytes, inflated where it is compressed.
#pragma once

#include "ingest/byte_source.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>

namespace debrief::ingest {

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

/// A file below a folder of which parts are read by their place, as they are on disk.
class FileParts {
public:
  /// With `follow_links` the path may lead through symbolic links. Throws SourceError.
  FileParts(const std::string& root, const std::string& path, bool follow_links);

  ~FileParts();

  FileParts(const FileParts&) = delete;
  FileParts& operator=(const FileParts&) = delete;

  /// When it was opened; 0 where nearly all of it is holes, which cost nothing to write.
  std::uint64_t size() const { return size_; }

  /// Fills `into` from a place on; false where the file ends before. Throws SourceError.
  bool read(std::uint64_t offset, std::span<char> into) const;

private:
  int descriptor_;
  std::uint64_t size_ = 0;
};

} // namespace debrief::ingest
