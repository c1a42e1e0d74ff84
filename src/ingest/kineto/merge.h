// Takes parsed blocks in the order of the file and joins what they hold. What a block could not be
// parsed of is walked over event by event; an event that goes on in the next block is carried
// there.
#pragma once

#include "ingest/kineto/block_parser.h"
#include "ingest/kineto/builder.h"
#include "ingest/kineto/walker.h"

#include <string>
#include <string_view>

namespace debrief::ingest::kineto {

struct ParsedBlock {
  Block block;
  Part part;
  BlockParser::Outcome outcome{};
};

class BlockMerger {
public:
  /// `path` is the file's, for the report.
  BlockMerger(std::string_view path, TraceBuilder& builder, job::ReadingReport& report)
      : path_(path)
      , builder_(builder)
      , report_(report) {}

  void take(const ParsedBlock& parsed);

  /// After the last block: whether the ']' behind the events was met, and the text from it on.
  bool events_ended() const { return ended_; }

  const std::string& rest() const { return rest_; }

  /// Bytes of the event that the file's end cut off; 0 where it ended between two.
  std::size_t unfinished() const { return unfinished_; }

private:
  void settle(const Block& block, const BlockParser::Outcome& outcome);
  void walk(const Block& block, std::size_t from, std::size_t until);
  void parse_rest(const Block& block, std::size_t from);
  void carry_on(const Block& block, std::size_t from);
  void add_rest(std::string_view text);

  std::string path_;
  TraceBuilder& builder_;
  job::ReadingReport& report_;
  BlockParser parser_;
  EventWalker walker_{parser_};
  Block carry_;
  bool ended_ = false;
  std::string rest_;
  std::size_t unfinished_ = 0;
};

} // namespace debrief::ingest::kineto
