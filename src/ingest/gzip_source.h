// Inflates a gzip stream on the fly, member after member. A stream that is cut off or broken gives
// all the bytes up to that point and says so in damage().
#pragma once

#include "ingest/byte_source.h"

#include <memory>

namespace debrief::ingest {

/// Two bytes that every gzip member starts with.
bool is_gzip(const char* bytes, std::size_t size);

std::unique_ptr<ByteSource> make_gzip_source(std::unique_ptr<ByteSource> compressed);

} // namespace debrief::ingest
