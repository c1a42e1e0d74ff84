// Reads the events of a trace, block by block: blocks are cut off one after the other, parsed on
// several threads where the file is large and cores are free, and joined in the order of the file.
// While one thread inflates or reads, the others parse. A few blocks are in memory at a time.
#pragma once

#include "ingest/kineto/blocks.h"
#include "ingest/kineto/merge.h"

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace debrief::ingest::kineto {

struct ReadingOptions {
  std::size_t block = std::size_t{1024} * 1024; ///< bytes
  std::size_t threads = 0; ///< 0: as many as there are cores that no other trace is read on
};

class EventsReader {
public:
  /// `bytes` is at the first byte after the '[' that opens the events; `path` is the file's.
  EventsReader(BlockReader& bytes, std::string_view path, const ReadingOptions& options,
               BlockMerger& merger);

  /// Reads to the file's end. Throws SourceError.
  void run();

private:
  void work(bool may_hire);
  bool next_block(ParsedBlock& parsed, std::uint64_t& number);
  void hand_in(ParsedBlock parsed, std::uint64_t number);
  void hire();
  std::size_t window() const;

  std::string path_;
  ReadingOptions options_;
  BlockMerger& merger_;

  std::mutex source_mutex_; ///< of what is below it; taken before state_mutex_
  BlockSplitter splitter_;

  std::mutex state_mutex_; ///< of what is below it
  std::condition_variable room_;
  std::uint64_t taken_ = 0;
  std::uint64_t merged_ = 0;
  std::map<std::uint64_t, ParsedBlock> waiting_; ///< parsed, before their turn
  std::vector<Block> spare_; ///< whose memory the next blocks take: fresh pages cost a fault each
  std::exception_ptr failure_;

  std::vector<std::jthread> helpers_;
};

} // namespace debrief::ingest::kineto
