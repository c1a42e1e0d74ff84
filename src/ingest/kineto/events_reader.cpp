#include "ingest/kineto/events_reader.h"

#include "util/parallel.h"

#include <algorithm>
#include <atomic>
#include <utility>

namespace debrief::ingest::kineto {

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

} // namespace

EventsReader::EventsReader(BlockReader& bytes, std::string_view path, const ReadingOptions& options,
                           BlockMerger& merger)
    : path_(path)
    , options_(options)
    , merger_(merger)
    , splitter_(bytes, options.block) {}

void EventsReader::run() {
  work(true);
  for (std::jthread& helper : helpers_)
    helper.join();
  if (failure_) std::rethrow_exception(failure_);
}

void EventsReader::work(bool may_hire) {
  const AtWork at_work;
  try {
    BlockParser parser;
    ParsedBlock parsed{Block{}, Part{path_}};
    std::uint64_t number = 0;
    while (next_block(parsed, number)) {
      if (may_hire) hire();
      parsed.outcome = parser.parse(parsed.block, parsed.part);
      hand_in(std::exchange(parsed, {Block{}, Part{path_}}), number);
    }
  } catch (...) {
    const std::lock_guard lock{state_mutex_};
    if (!failure_) failure_ = std::current_exception();
    room_.notify_all();
  }
}

/// Small files are done before a thread has started.
void EventsReader::hire() {
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
  helpers_.emplace_back([this] { work(false); });
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
  }
  if (!splitter_.next(parsed.block)) return false;
  const std::lock_guard lock{state_mutex_};
  number = taken_++;
  return true;
}

void EventsReader::hand_in(ParsedBlock parsed, std::uint64_t number) {
  const std::lock_guard lock{state_mutex_};
  waiting_.emplace(number, std::move(parsed));
  while (!waiting_.empty() && waiting_.begin()->first == merged_) {
    merger_.take(waiting_.begin()->second);
    spare_.push_back(std::move(waiting_.begin()->second.block));
    waiting_.erase(waiting_.begin());
    ++merged_;
  }
  room_.notify_all();
}

} // namespace debrief::ingest::kineto
