#include "ingest/kineto/merge.h"

namespace debrief::ingest::kineto {

namespace {

/// The bytes of `block` from `from` on, as a block.
Block tail_of(const Block& block, std::size_t from) {
  Block tail{block.offset() + from};
  tail.append(block.text().substr(from));
  tail.last = block.last;
  return tail;
}

} // namespace

void BlockMerger::take(const ParsedBlock& parsed) {
  const Block& block = parsed.block;
  if (block.repaired.count > 0)
    job::ReadingReport::count(report_.repaired, kRepairedUtf8,
                              job::at_byte(path_, block.offset() + block.repaired.first),
                              block.repaired.count);
  if (ended_) return add_rest(block.text());
  if (carry_.text().empty()) {
    builder_.absorb(parsed.part);
    return settle(block, parsed.outcome);
  }
  // The block's own start was inside of an event: what was made of it is void.
  Block joined = std::move(carry_);
  carry_ = Block{};
  const std::size_t border = joined.text().size();
  joined.append(block.text());
  joined.last = block.last;
  walk(joined, 0, border);
}

void BlockMerger::settle(const Block& block, const BlockParser::Outcome& outcome) {
  switch (outcome.end) {
  case BlockParser::End::whole:
    return;
  case BlockParser::End::events_end:
    return add_rest(block.text().substr(outcome.at));
  case BlockParser::End::failed:
    return walk(block, outcome.at, block.text().size());
  }
}

void BlockMerger::walk(const Block& block, std::size_t from, std::size_t until) {
  Part part{path_};
  const EventWalker::Outcome outcome =
      walker_.walk(block.text(), block.offset(), from, until, block.last, part);
  builder_.absorb(part);
  switch (outcome.stop) {
  case EventWalker::Stop::reached:
    return parse_rest(block, outcome.at);
  case EventWalker::Stop::events_end:
    return add_rest(block.text().substr(outcome.at));
  case EventWalker::Stop::unfinished:
    return carry_on(block, outcome.at);
  }
}

void BlockMerger::parse_rest(const Block& block, std::size_t from) {
  if (from >= block.text().size()) return;
  Block tail = tail_of(block, from);
  Part part{path_};
  const BlockParser::Outcome outcome = parser_.parse(tail, part);
  builder_.absorb(part);
  settle(tail, outcome);
}

void BlockMerger::carry_on(const Block& block, std::size_t from) {
  if (block.last)
    unfinished_ = block.text().size() - from;
  else
    carry_ = tail_of(block, from);
}

void BlockMerger::add_rest(std::string_view text) {
  constexpr std::size_t kMaxLength =
      std::size_t{16} * 1024 * 1024; // no trace says more about itself
  ended_ = true;
  if (rest_.size() + text.size() <= kMaxLength) rest_.append(text);
}

} // namespace debrief::ingest::kineto
