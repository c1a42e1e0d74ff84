// Which GPU work of a step waits for which: on its stream, for events of other streams, and which
// of it the host's calls wait for.
//
// Where the recorder tells of synchronization (cuda_sync), it is known what an event stands for.
// Else work that starts late, more than kKernelWaitUs after its launch and after the work before it
// on its stream, is taken to wait for the work on another stream that ended last before it began,
// of that which was launched before it.
#pragma once

#include "aggregate/trace/index.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

namespace debrief::aggregate {

/// A kernel, copy or set, as far as it lies in the step.
struct StreamWork {
  std::int32_t slice = TraceIndex::kNone;
  Nanoseconds start{};
  Nanoseconds end{};
  std::int32_t from = TraceIndex::kNone; ///< its nodes in the step's graph
  std::int32_t to = TraceIndex::kNone;
};

class StreamWaits {
public:
  /// `work` has to stay where it is.
  StreamWaits(const TraceIndex& index, std::span<const StreamWork> work);

  /// The last work of its stream that ended before it began; null: none.
  const StreamWork* before_on_stream(const StreamWork& work) const;

  /// Work that it had to wait for by an event.
  template <typename Take>
  void for_each_event(const StreamWork& work, const Take& take) const {
    const auto number = static_cast<std::int32_t>(&work - work_.data());
    for (std::size_t at = first_event(number); at < events_.size() && events_[at].first == number;
         ++at)
      take(at_number(events_[at].second));
  }

  /// The work whose end lets a call return that synchronizes or copies from the GPU; null: it does
  /// neither, or there is none.
  const StreamWork* awaited_by(std::int32_t call) const;

private:
  using Numbers = std::vector<std::int32_t>; ///< of work_

  const StreamWork& at_number(std::int32_t number) const {
    return work_[static_cast<std::size_t>(number)];
  }

  const job::Slice& slice_of(std::int32_t number) const {
    return slice_at(index_, at_number(number).slice);
  }

  Nanoseconds launched(std::int32_t number) const;
  std::size_t first_event(std::int32_t number) const;
  std::int32_t last_launched(std::int32_t track, Nanoseconds until) const;
  std::int32_t next_launched(std::int32_t thread, std::int32_t track, Nanoseconds since) const;
  std::int32_t last_of_others(std::int32_t number, Nanoseconds since) const;
  std::int32_t source_of(const job::Slice& wait) const;
  const job::Slice* wait_of(const job::Slice& call) const;
  void sort_work();
  void collect_calls();
  void find_recorded_events();
  void guess_events();

  const TraceIndex& index_;
  std::span<const StreamWork> work_;
  Numbers by_end_;
  Numbers by_stream_and_end_;
  Numbers by_stream_and_launch_;                               ///< those whose launch is known
  Numbers by_thread_stream_and_launch_;                        ///< of these
  std::vector<std::pair<std::int32_t, std::int32_t>> copies_;  ///< {call, copy that it waits for}
  std::vector<std::pair<std::int64_t, std::int32_t>> waits_;   ///< {correlation, cuda_sync's slice}
  std::vector<std::pair<std::int64_t, std::int32_t>> records_; ///< {correlation, call}
  std::map<std::pair<std::int64_t, std::int64_t>, std::int32_t> streams_; ///< tracks by GPU, stream
  std::vector<std::int32_t> wait_calls_;                                  ///< of streams for events
  std::vector<std::pair<std::int32_t, std::int32_t>> events_; ///< {work, work that it waits for}
};

} // namespace debrief::aggregate
