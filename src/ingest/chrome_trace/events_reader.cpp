#include "ingest/chrome_trace/events_reader.h"

#include "util/parallel.h"
#include "util/spare.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace debrief::ingest::chrome_trace {

namespace {

/// Threads that parse traces, of all files that are being read.
std::atomic<std::size_t> threads_at_work{0};

class AtWork {
public:
  AtWork() { ++threads_at_work; }

  ~AtWork() { --threads_at_work; }

  AtWork(const AtWork&) = delete;
  AtWork& operator=(const AtWork&) = delete;
};

/// No more than a small file has, and one more, so that its end is met.
std::size_t size_of_blocks(const BlockReader& bytes, std::size_t block) {
  constexpr std::uint64_t kLeast = 4096;
  const std::uint64_t size = bytes.expected_size().value_or(block);
  return size >= block ? block : std::min<std::uint64_t>(block, std::max(kLeast, size + 1));
}

/// The bytes of `block` from `from` on, as a block.
TraceBlock tail_of(const TraceBlock& block, std::size_t from) {
  TraceBlock tail{block.offset() + from};
  tail.append(block.text().substr(from));
  tail.last = block.last;
  return tail;
}

} // namespace

void BlockMerger::absorb(const EventChunk& chunk) {
  records_ += chunk.records;
  for (const auto& [reason, trouble] : chunk.skipped)
    job::ReadingReport::count(report_.skipped, reason, trouble.first_seen, trouble.count);
  for (const auto& [reason, trouble] : chunk.repaired)
    job::ReadingReport::count(report_.repaired, reason, trouble.first_seen, trouble.count);
  consumer_.absorb(chunk);
}

void BlockMerger::take(const ParsedBlock& parsed) {
  const TraceBlock& block = parsed.block;
  if (block.repaired.count > 0)
    job::ReadingReport::count(report_.repaired, kRepairedUtf8,
                              job::at_byte(path_, block.offset() + block.repaired.first),
                              block.repaired.count);
  if (ended_) return add_rest(block.text());
  if (!carry_.text().empty()) {
    // The block's own start was inside of an event: what was made of it is void.
    TraceBlock joined = std::move(carry_);
    carry_ = TraceBlock{};
    const std::size_t border = joined.text().size();
    joined.append(block.text());
    joined.last = block.last;
    return walk_on(joined, 0, border);
  }
  absorb(*parsed.chunk);
  switch (parsed.outcome.end) {
  case BlockParser::End::whole:
    return;
  case BlockParser::End::events_end:
    return add_rest(block.text().substr(parsed.outcome.at));
  case BlockParser::End::failed:
    return walk_on(block, parsed.outcome.at, block.text().size());
  }
}

/// Walks over the events of `first` that start between `from` and `until`, parses what follows, and
/// walks again over what that could not be parsed of.
void BlockMerger::walk_on(const TraceBlock& first, std::size_t from, std::size_t until) {
  const TraceBlock* block = &first;
  TraceBlock tail;
  for (;;) {
    const auto walked = consumer_.new_chunk();
    const EventWalker::Outcome outcome =
        walker_.walk(block->text(), block->offset(), from, until, block->last, *walked);
    absorb(*walked);
    if (outcome.stop == EventWalker::Stop::events_end)
      return add_rest(block->text().substr(outcome.at));
    if (outcome.stop == EventWalker::Stop::unfinished) return carry_on(*block, outcome.at);
    if (outcome.at >= block->text().size()) return;

    tail = tail_of(*block, outcome.at);
    block = &tail;
    const auto parsed = consumer_.new_chunk();
    const BlockParser::Outcome rest = parser_.parse(tail, *parsed);
    absorb(*parsed);
    if (rest.end == BlockParser::End::whole) return;
    if (rest.end == BlockParser::End::events_end) return add_rest(tail.text().substr(rest.at));
    from = rest.at;
    until = tail.text().size();
  }
}

void BlockMerger::carry_on(const TraceBlock& block, std::size_t from) {
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

EventsReader::EventsReader(BlockReader& bytes, const ReadingOptions& options, BlockMerger& merger)
    : options_(options)
    , merger_(merger)
    , splitter_(bytes, size_of_blocks(bytes, options.block)) {}

void EventsReader::run() {
  spare_.push_back(take_spare<TraceBlock>());
  work(true);
  for (std::jthread& helper : helpers_)
    helper.join();
  if (!spare_.empty()) spare<TraceBlock>() = std::move(spare_.back());
  if (failure_) std::rethrow_exception(failure_);
}

void EventsReader::work(bool may_start_helpers) {
  const AtWork at_work;
  try {
    BlockParser parser{merger_.consumer().list_end()};
    ParsedBlock parsed;
    std::uint64_t number = 0;
    while (next_block(parsed, number)) {
      if (may_start_helpers) start_helper();
      if (parsed.chunk == nullptr) parsed.chunk = merger_.consumer().new_chunk();
      parsed.outcome = parser.parse(parsed.block, *parsed.chunk);
      hand_in(std::exchange(parsed, {}), number);
    }
  } catch (...) {
    const std::lock_guard lock{state_mutex_};
    if (!failure_) failure_ = std::current_exception();
    room_.notify_all();
  }
}

/// Small files are done before a thread has started.
void EventsReader::start_helper() {
  constexpr std::size_t kBlocksBefore = 2;
  constexpr std::size_t kMaxHelpers = 15; // one thread cannot cut blocks for more
  if (options_.threads == 0) {
    const std::lock_guard lock{state_mutex_};
    if (taken_ < kBlocksBefore || helpers_.size() >= kMaxHelpers ||
        threads_at_work >= usable_cores())
      return;
  } else if (helpers_.size() + 1 >= options_.threads) {
    return;
  }
  const std::lock_guard lock{state_mutex_};
  if (!refused_) refused_ = !start_thread(helpers_, [this] { work(false); });
}

/// Blocks in memory: one that is parsed and one that waits, for each thread.
std::size_t EventsReader::window() const {
  return 2 * (helpers_.size() + 1);
}

bool EventsReader::next_block(ParsedBlock& parsed, std::uint64_t& number) {
  const std::lock_guard source_lock{source_mutex_};
  {
    std::unique_lock lock{state_mutex_};
    room_.wait(lock, [&] { return failure_ || taken_ - merged_ < window(); });
    if (failure_) return false;
    if (!spare_.empty()) {
      parsed.block = std::move(spare_.back());
      spare_.pop_back();
    }
    if (!spare_chunks_.empty()) {
      parsed.chunk = std::move(spare_chunks_.back());
      spare_chunks_.pop_back();
    }
  }
  const bool is_there = splitter_.next(parsed.block);
  const std::lock_guard lock{state_mutex_};
  if (is_there)
    number = taken_++;
  else
    spare_.push_back(std::move(parsed.block));
  return is_there;
}

void EventsReader::hand_in(ParsedBlock parsed, std::uint64_t number) {
  const std::lock_guard lock{state_mutex_};
  waiting_.emplace(number, std::move(parsed));
  while (!waiting_.empty() && waiting_.begin()->first == merged_) {
    ParsedBlock& next = waiting_.begin()->second;
    merger_.take(next);
    spare_.push_back(std::move(next.block));
    if (next.chunk->restart()) spare_chunks_.push_back(std::move(next.chunk));
    waiting_.erase(waiting_.begin());
    ++merged_;
  }
  room_.notify_all();
}

} // namespace debrief::ingest::chrome_trace
