// Formats that a job's file is often in by mistake: packed in a way that debrief does not unpack,
// or text in another encoding. Named, so that a reader knows what to do with the file.
#pragma once

#include <string_view>

namespace debrief::ingest {

struct ForeignFormat {
  std::string_view words; ///< "packed with xz: unpack it, or pack it with gzip"
  bool archive = false;   ///< of many files, which may be anything
};

/// What a file that begins so is; null for anything else.
const ForeignFormat* foreign_format(std::string_view head);

} // namespace debrief::ingest
