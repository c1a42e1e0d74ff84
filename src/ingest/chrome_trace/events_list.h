// Finds the list of events in a Chrome trace: a JSON array of objects, alone or under the key
// "traceEvents" of an object.
#pragma once

#include "ingest/block_reader.h"

#include <optional>
#include <string>

namespace debrief::ingest::chrome_trace {

struct EventsList {
  std::string before; ///< the file's text up to and with the '[' that opens the list
  bool alone = false; ///< the list is the whole document, not a member of it
};

/// Moves to the first byte after the '[' that opens the events; nothing where there is none. A few
/// damaged bytes before the list do not cost all of it.
std::optional<EventsList> enter_events_list(BlockReader& bytes);

} // namespace debrief::ingest::chrome_trace
