// All readers, in the order in which they are asked whether a file is theirs.
#pragma once

#include "ingest/reader.h"

#include <span>

namespace debrief::ingest {

/// The first that recognizes a file reads it.
std::span<const Reader* const> readers();

} // namespace debrief::ingest
