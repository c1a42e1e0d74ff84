// Timelines that a folder holds twice: a file beside its own compressed copy, a folder that was
// copied. Each counts once, as samples and traces do.
#pragma once

#include "job/events.h"
#include "util/seeded_hash.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <unordered_map>

namespace debrief::ingest {

/// Of a file's events and the process they are of: the same for copies. 0: it has none.
std::uint64_t digest_of(const job::EventTableBuilder& events);

class RepeatedFiles {
public:
  /// The file, of those asked about before, that has the same events; nothing where there is none.
  std::optional<std::size_t> first_like(std::uint64_t digest, std::size_t file);

private:
  std::unordered_map<std::uint64_t, std::size_t, SeededHash>
      files_; ///< by a digest of their events
};

} // namespace debrief::ingest
