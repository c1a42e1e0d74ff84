// Takes the events of a stretch of text one by one, where a block of them could not be parsed: an
// event that is broken costs only itself.
#pragma once

#include "ingest/event_walk.h"
#include "ingest/kineto/block_parser.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace debrief::ingest::kineto {

class EventWalker {
public:
  enum class Stop {
    reached,    ///< `at` is an event's start not before `until`, or the text's end
    unfinished, ///< the event (or the end of events) at `at` goes on behind the text
    events_end, ///< `at` is the ']' behind the last event of the trace
  };

  struct Outcome {
    Stop stop = Stop::reached;
    std::size_t at = 0;
  };

  explicit EventWalker(BlockParser& parser)
      : parser_(parser) {}

  /// Starts at `from`. `offset` is the text's place in the file, `last` whether the file ends with
  /// it.
  Outcome walk(std::string_view text, std::uint64_t offset, std::size_t from, std::size_t until,
               bool last, Part& part);

private:
  BlockParser& parser_;
  ResyncBudget patience_;
};

} // namespace debrief::ingest::kineto
