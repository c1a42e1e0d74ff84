#include "aggregate/trace/stream_waits.h"

#include "aggregate/trace/figures.h"

#include <algorithm>
#include <chrono>
#include <tuple>

namespace debrief::aggregate {

namespace {

/// How many works are looked at for one that fits: bounds what each wait costs.
constexpr int kFewWorks = 64;

template <typename Key>
void sort_by(std::vector<std::int32_t>& numbers, const Key& key) {
  std::stable_sort(numbers.begin(), numbers.end(),
                   [&](std::int32_t a, std::int32_t b) { return key(a) < key(b); });
}

/// How many of the numbers, which are by `key`, have one of at most `most`.
template <typename Key, typename Value>
std::ptrdiff_t count_up_to(const std::vector<std::int32_t>& numbers, const Key& key,
                           const Value& most) {
  return std::upper_bound(
             numbers.begin(), numbers.end(), most,
             [&](const Value& value, std::int32_t number) { return value < key(number); }) -
         numbers.begin();
}

using ByCorrelation = std::vector<std::pair<std::int64_t, std::int32_t>>;

std::int32_t find_in(const ByCorrelation& list, std::int64_t correlation) {
  const auto found = std::lower_bound(list.begin(), list.end(), std::pair{correlation, INT32_MIN});
  return found == list.end() || found->first != correlation ? TraceIndex::kNone : found->second;
}

} // namespace

StreamWaits::StreamWaits(const TraceIndex& index, std::span<const StreamWork> work)
    : index_(index)
    , work_(work) {
  sort_work();
  collect_calls();
  if (index_.trace.waits.empty())
    guess_events();
  else
    find_recorded_events();
}

Nanoseconds StreamWaits::launched(std::int32_t number) const {
  return slice_at(index_, index_.launch[static_cast<std::size_t>(at_number(number).slice)]).start;
}

void StreamWaits::sort_work() {
  for (std::int32_t number = 0; number < std::ssize(work_); ++number) {
    by_end_.push_back(number);
    const std::int32_t slice = at_number(number).slice;
    const std::int32_t call = index_.launch[static_cast<std::size_t>(slice)];
    if (call == TraceIndex::kNone) continue;
    by_stream_and_launch_.push_back(number);
    if (slice_at(index_, slice).kind == job::SliceKind::memcpy && copy_blocks(index_, slice))
      copies_.emplace_back(call, number);
  }
  by_stream_and_end_ = by_end_;
  by_thread_stream_and_launch_ = by_stream_and_launch_;
  const auto thread = [&](std::int32_t number) {
    return slice_at(index_, index_.launch[static_cast<std::size_t>(at_number(number).slice)]).track;
  };
  sort_by(by_end_, [&](std::int32_t number) { return at_number(number).end; });
  sort_by(by_stream_and_end_, [&](std::int32_t number) {
    return std::pair{slice_of(number).track, at_number(number).end};
  });
  sort_by(by_thread_stream_and_launch_, [&](std::int32_t number) {
    return std::tuple{thread(number), slice_of(number).track, launched(number),
                      at_number(number).start};
  });
  sort_by(by_stream_and_launch_, [&](std::int32_t number) {
    return std::pair{slice_of(number).track, launched(number)};
  });
  std::sort(copies_.begin(), copies_.end());
}

const StreamWork* StreamWaits::before_on_stream(const StreamWork& work) const {
  const std::int32_t track = slice_at(index_, work.slice).track;
  auto at = count_up_to(
      by_stream_and_end_,
      [&](std::int32_t number) {
        return std::pair{slice_of(number).track, at_number(number).end};
      },
      std::pair{track, work.start});
  for (int tries = 0; tries < kFewWorks && at-- > 0; ++tries) {
    const StreamWork& before = at_number(by_stream_and_end_[static_cast<std::size_t>(at)]);
    if (slice_at(index_, before.slice).track != track) return nullptr;
    if (before.slice < work.slice) return &before; // not itself, nor another moment after it
    if (before.end < work.start) return nullptr;
  }
  return nullptr;
}

void StreamWaits::collect_calls() {
  const job::Trace& trace = index_.trace;
  if (work_.empty() || (trace.waits.empty() && !trace.counts.contains("X cuda_sync"))) return;
  enum class Call : std::uint8_t { other, waits, records };
  std::vector<Call> calls(trace.names.size(), Call::other); // by name
  for (std::size_t i = 0; i < calls.size(); ++i) {
    const std::string_view name = trace.names[static_cast<job::StringTable::Id>(i)];
    if (name.find("StreamWaitEvent") != name.npos) calls[i] = Call::waits;
    if (name.find("EventRecord") != name.npos) calls[i] = Call::records;
  }
  for (std::size_t i = 0; i < trace.slices.size(); ++i) {
    const job::Slice& slice = trace.slices[i];
    const auto number = static_cast<std::int32_t>(i);
    if (slice.kind == job::SliceKind::gpu_wait) {
      waits_.emplace_back(slice.correlation, number);
    } else if (slice.kind == job::SliceKind::runtime) {
      const Call call = calls[static_cast<std::size_t>(slice.name)];
      if (call == Call::records) records_.emplace_back(slice.correlation, number);
      if (call == Call::waits) wait_calls_.push_back(number);
    }
  }
  for (std::size_t i = 0; i < trace.tracks.size(); ++i)
    if (trace.tracks[i].gpu)
      streams_.emplace(std::pair{trace.tracks[i].process, trace.tracks[i].id},
                       static_cast<std::int32_t>(i));
  std::sort(waits_.begin(), waits_.end());
  std::sort(records_.begin(), records_.end());
}

const job::Slice* StreamWaits::wait_of(const job::Slice& call) const {
  const std::int32_t wait = find_in(waits_, call.correlation);
  return wait == TraceIndex::kNone ? nullptr : &slice_at(index_, wait);
}

/// Launched on a stream at `until` or before, the last.
std::int32_t StreamWaits::last_launched(std::int32_t track, Nanoseconds until) const {
  const auto count = count_up_to(
      by_stream_and_launch_,
      [&](std::int32_t number) {
        return std::pair{slice_of(number).track, launched(number)};
      },
      std::pair{track, until});
  if (count == 0) return TraceIndex::kNone;
  const std::int32_t last = by_stream_and_launch_[static_cast<std::size_t>(count - 1)];
  return slice_of(last).track == track ? last : TraceIndex::kNone;
}

/// The first that a thread launches on a stream after `since`.
std::int32_t StreamWaits::next_launched(std::int32_t thread, std::int32_t track,
                                        Nanoseconds since) const {
  const auto key = [&](std::int32_t number) {
    const std::int32_t call = index_.launch[static_cast<std::size_t>(at_number(number).slice)];
    return std::tuple{slice_at(index_, call).track, slice_of(number).track, launched(number)};
  };
  const Numbers& list = by_thread_stream_and_launch_;
  const auto at =
      static_cast<std::size_t>(count_up_to(list, key, std::tuple{thread, track, since}));
  if (at == list.size()) return TraceIndex::kNone;
  const auto [on_thread, on_track, time] = key(list[at]);
  return on_thread == thread && on_track == track ? list[at] : TraceIndex::kNone;
}

/// Of a recorded wait for an event: the last work launched before the event was recorded.
std::int32_t StreamWaits::source_of(const job::Slice& wait) const {
  if (wait.details < 0) return TraceIndex::kNone;
  const job::WaitArgs& args = index_.trace.waits[static_cast<std::size_t>(wait.details)];
  const std::int32_t record = find_in(records_, args.record_correlation);
  if (record == TraceIndex::kNone) return TraceIndex::kNone;
  const std::int64_t device = index_.trace.tracks[static_cast<std::size_t>(wait.track)].process;
  const auto found = streams_.find({device, args.stream});
  if (found == streams_.end()) return TraceIndex::kNone;
  return last_launched(found->second, slice_at(index_, record).start);
}

void StreamWaits::find_recorded_events() {
  for (const std::int32_t number : wait_calls_) {
    const job::Slice& call = slice_at(index_, number);
    const job::Slice* wait = wait_of(call);
    if (wait == nullptr) continue;
    const std::int32_t work = next_launched(call.track, wait->track, call.start);
    const std::int32_t source = source_of(*wait);
    if (work == TraceIndex::kNone || source == TraceIndex::kNone || work == source) continue;
    if (at_number(source).end <= at_number(work).start) events_.emplace_back(work, source);
  }
  std::sort(events_.begin(), events_.end());
  events_.erase(std::unique(events_.begin(), events_.end()), events_.end());
}

void StreamWaits::guess_events() {
  constexpr auto kLate = std::chrono::duration_cast<Nanoseconds>(
      std::chrono::duration<double, std::micro>{result::kKernelWaitUs});
  for (std::int32_t number = 0; number < std::ssize(work_); ++number) {
    const StreamWork& work = at_number(number);
    const std::int32_t call = index_.launch[static_cast<std::size_t>(work.slice)];
    if (call == TraceIndex::kNone) continue;
    Nanoseconds ready = slice_at(index_, call).start;
    if (const StreamWork* before = before_on_stream(work)) ready = std::max(ready, before->end);
    if (work.start - ready <= kLate) continue;
    if (const std::int32_t source = last_of_others(number, ready); source != TraceIndex::kNone)
      events_.emplace_back(number, source);
  }
}

/// The last to end between `since` and the work's start, on another stream of its GPU, of those
/// launched before it.
std::int32_t StreamWaits::last_of_others(std::int32_t number, Nanoseconds since) const {
  const auto device = [&](std::int32_t of) {
    return index_.trace.tracks[static_cast<std::size_t>(slice_of(of).track)].process;
  };
  auto at = count_up_to(
      by_end_, [&](std::int32_t each) { return at_number(each).end; }, at_number(number).start);
  for (int tries = 0; tries < kFewWorks && at-- > 0; ++tries) {
    const std::int32_t other = by_end_[static_cast<std::size_t>(at)];
    if (at_number(other).end <= since) break;
    if (slice_of(other).track == slice_of(number).track || device(other) != device(number))
      continue;
    const std::int32_t call = index_.launch[static_cast<std::size_t>(at_number(other).slice)];
    if (call != TraceIndex::kNone && slice_at(index_, call).start < launched(number)) return other;
  }
  return TraceIndex::kNone;
}

std::size_t StreamWaits::first_event(std::int32_t number) const {
  return static_cast<std::size_t>(
      std::lower_bound(events_.begin(), events_.end(), std::pair{number, INT32_MIN}) -
      events_.begin());
}

const StreamWork* StreamWaits::awaited_by(std::int32_t number) const {
  const auto copy = std::lower_bound(copies_.begin(), copies_.end(), std::pair{number, INT32_MIN});
  if (copy != copies_.end() && copy->first == number) return &at_number(copy->second);
  if (!is_synchronizing(index_.name(number))) return nullptr;
  const job::Slice& call = slice_at(index_, number);
  const job::Slice* wait = wait_of(call);
  if (wait != nullptr && wait->details >= 0) {
    const std::int32_t source = source_of(*wait);
    return source == TraceIndex::kNone ? nullptr : &at_number(source);
  }
  // Of one stream where that is known to have work, else of all.
  const auto end_key = [&](std::int32_t each) {
    return std::pair{slice_of(each).track, at_number(each).end};
  };
  const bool one_stream = wait != nullptr && last_launched(wait->track, call.start) >= 0;
  const Numbers& ends = one_stream ? by_stream_and_end_ : by_end_;
  auto at = one_stream
                ? count_up_to(ends, end_key, std::pair{wait->track, call.end()})
                : count_up_to(
                      ends, [&](std::int32_t each) { return at_number(each).end; }, call.end());
  for (int tries = 0; tries < kFewWorks && at-- > 0; ++tries) {
    const std::int32_t each = ends[static_cast<std::size_t>(at)];
    if (one_stream && slice_of(each).track != wait->track) return nullptr;
    const std::int32_t launch = index_.launch[static_cast<std::size_t>(at_number(each).slice)];
    if (launch == TraceIndex::kNone || launched(each) < call.start) return &at_number(each);
  }
  return nullptr;
}

} // namespace debrief::aggregate
