// Opens a file of a job as a source of its bytes, inflated where it is compressed.
#pragma once

#include "ingest/byte_source.h"

#include <cstdint>
#include <memory>
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

} // namespace debrief::ingest
