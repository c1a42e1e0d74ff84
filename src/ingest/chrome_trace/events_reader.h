// Reads the events of a trace, block by block: blocks are cut off one after the other, parsed on
// several threads where the file is large and cores are free, and joined in the order of the file.
// While one thread inflates or reads, the others parse. A few blocks are in memory at a time.
#pragma once

#include "ingest/chrome_trace/event_parser.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace debrief::ingest::chrome_trace {

struct ReadingOptions {
  std::size_t block = std::size_t{1024} * 1024; ///< bytes
  std::size_t threads = 0; ///< 0: as many as there are cores that no other trace is read on
};

struct ParsedBlock {
  TraceBlock block{};
  std::unique_ptr<EventChunk> chunk;
  BlockParser::Outcome outcome{};
};

/// Takes parsed blocks in the order of the file and hands their chunks on. What a block could not
/// be parsed of is walked over event by event; an event that goes on in the next block is carried
/// there.
class BlockMerger {
public:
  /// `path` is the file's, for the report, where the chunks' troubles are counted too.
  BlockMerger(std::string_view path, EventConsumer& consumer, job::ReadingReport& report)
      : path_(path)
      , consumer_(consumer)
      , report_(report)
      , parser_(consumer.list_end())
      , walker_(parser_, consumer.list_end()) {}

  void take(const ParsedBlock& parsed);

  EventConsumer& consumer() { return consumer_; }

  /// After the last block: whether the ']' behind the events was met, and the text from it on.
  bool events_ended() const { return ended_; }

  const std::string& rest() const { return rest_; }

  /// Bytes of the event that the file's end cut off; 0 where it ended between two.
  std::size_t unfinished() const { return unfinished_; }

  std::uint64_t records() const { return records_; }

private:
  void absorb(const EventChunk& chunk);
  void walk_on(const TraceBlock& block, std::size_t from, std::size_t until);
  void carry_on(const TraceBlock& block, std::size_t from);
  void add_rest(std::string_view text);

  std::string path_;
  EventConsumer& consumer_;
  job::ReadingReport& report_;
  BlockParser parser_;
  EventWalker walker_;
  std::uint64_t records_ = 0;
  TraceBlock carry_;
  bool ended_ = false;
  std::string rest_;
  std::size_t unfinished_ = 0;
};

class EventsReader {
public:
  /// `bytes` is at the first byte after the '[' that opens the events.
  EventsReader(BlockReader& bytes, const ReadingOptions& options, BlockMerger& merger);

  /// Reads to the file's end. Throws SourceError.
  void run();

private:
  void work(bool may_start_helpers);
  bool next_block(ParsedBlock& parsed, std::uint64_t& number);
  void hand_in(ParsedBlock parsed, std::uint64_t number);
  void start_helper();
  std::size_t window() const;

  ReadingOptions options_;
  BlockMerger& merger_;

  std::mutex source_mutex_; ///< of what is below it; taken before state_mutex_
  BlockSplitter splitter_;

  std::mutex state_mutex_; ///< of what is below it
  std::condition_variable room_;
  std::uint64_t taken_ = 0;
  std::uint64_t merged_ = 0;
  std::map<std::uint64_t, ParsedBlock> waiting_; ///< parsed, before their turn
  std::vector<TraceBlock>
      spare_; ///< whose memory the next blocks take: fresh pages cost a fault each
  std::vector<std::unique_ptr<EventChunk>> spare_chunks_; ///< for the same reason
  std::exception_ptr failure_;

  std::vector<std::jthread> helpers_;
  bool refused_ = false; ///< the system gives no more threads
};

} // namespace debrief::ingest::chrome_trace
