// Parses blocks and single events with simdjson.
#pragma once

#include "ingest/kineto/blocks.h"
#include "ingest/kineto/part.h"
#include "ingest/kineto/tokens.h"

#include <string>
#include <string_view>

namespace debrief::ingest::kineto {

inline constexpr const char* kRepairedUtf8 = "bytes that are not UTF-8 replaced by '?'";

enum class Answer { no, yes, undecided };

/// Whether the ']' at `at` closes the events: the trace's next member or its end follows, and no
/// event any more. A log line between events can have brackets too, and so has what is left of a
/// broken event. Undecided where the text does not show it; `last` says whether the file ends with
/// it.
Answer ends_events(std::string_view text, std::size_t at, bool last);

class BlockParser {
public:
  enum class End {
    whole,      ///< all of the block was taken
    events_end, ///< `at` is the ']' behind the last event of the trace
    failed      ///< what starts at `at` is no event, or not all of one
  };

  struct Outcome {
    End end = End::whole;
    std::size_t at = 0; ///< in the block's text: behind the last event that was taken
  };

  /// Takes the events of a block, up to what is no event. Invalid UTF-8 is repaired first, in the
  /// block.
  Outcome parse(Block& block, Part& part);

  /// Takes one event; false where it cannot be repaired either.
  bool parse_one(std::string_view text, std::uint64_t offset, Part& part);

private:
  bool find_tokens(Block& block, std::string_view array);

  TokenIndex tokens_;
  EventParser events_;
  Event event_;
  std::string scratch_; ///< one event and padding
};

} // namespace debrief::ingest::kineto
