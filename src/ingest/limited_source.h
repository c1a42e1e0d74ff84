// A compressed file may unpack to a thousand times its size. Real recordings pack at most some 40
// to one: what goes far beyond that is left out, so that time and memory stay in proportion to what
// is on disk.
#pragma once

#include "ingest/byte_source.h"

#include <memory>

namespace debrief::ingest {

/// `source` up to what a file of `size` bytes on disk may unpack to; whatever is beyond that is
/// said in damage(). Small files may always unpack to a megabyte.
std::unique_ptr<ByteSource> limit_unpacked(std::unique_ptr<ByteSource> source, std::uint64_t size,
                                           std::uint32_t times);

/// The same for a plain file with holes, which reads as more than the `stored` bytes that it takes
/// on the disk.
std::unique_ptr<ByteSource> limit_holes(std::unique_ptr<ByteSource> source, std::uint64_t stored,
                                        std::uint32_t times);

} // namespace debrief::ingest
