// Parses the events of a trace: block by block while all is well, event by event where a block is
// broken, so that a broken event costs only itself.
#pragma once

#include "ingest/chrome_trace/blocks.h"
#include "ingest/chrome_trace/event_chunk.h"
#include "ingest/chrome_trace/event_walk.h"
#include "ingest/chrome_trace/tokens.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace debrief::ingest::chrome_trace {

inline constexpr const char* kRepairedUtf8 = "bytes that are not UTF-8 replaced by '?'";

class BlockParser {
public:
  explicit BlockParser(ListEnd list_end)
      : list_end_(list_end) {}

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
  Outcome parse(TraceBlock& block, EventChunk& chunk);

  /// Takes one event; false where it cannot be repaired either.
  bool parse_one(std::string_view text, std::uint64_t offset, EventChunk& chunk);

private:
  bool find_tokens(TraceBlock& block, std::string_view text);
  TokenIndex::Found find_tokens_alone(std::string_view event);
  const char* parse_alike(const char* begin, const char* end, std::uint64_t offset,
                          EventChunk& chunk);
  const char* parse_new(const char* event, const char* end, std::uint64_t offset,
                        EventChunk& chunk);

  ListEnd list_end_;
  TokenIndex tokens_;
  std::string scratch_; ///< one event and padding
};

/// Takes the events of a stretch of text one by one.
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

  EventWalker(BlockParser& parser, ListEnd list_end)
      : parser_(parser)
      , list_end_(list_end) {}

  /// Starts at `from`. `offset` is the text's place in the file, `last` whether the file ends with
  /// it.
  Outcome walk(std::string_view text, std::uint64_t offset, std::size_t from, std::size_t until,
               bool last, EventChunk& chunk);

private:
  BlockParser& parser_;
  ListEnd list_end_;
  ResyncBudget budget_;
};

} // namespace debrief::ingest::chrome_trace
