// One event of a framework timeline, and which of its fields says what.
#pragma once

#include "ingest/chrome_trace/values.h"
#include "job/events.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace debrief::ingest {

/// One event as a recorder wrote it. Texts are valid until the next one is parsed. What the event
/// does not have is absent or empty.
struct TimelineEvent {
  std::string_view name;
  std::string_view ph;
  std::optional<std::int64_t> pid;
  std::optional<std::int64_t> tid;
  std::optional<double> ts;  ///< microseconds
  std::optional<double> dur; ///< microseconds

  // of "args"
  std::string_view args_name;
  std::optional<std::int64_t> epoch_start; ///< start_time_since_epoch_in_micros
  std::optional<std::int64_t> args_pid;
  std::optional<std::int64_t> args_tid;
  std::optional<std::int64_t> step;
  job::EventDetails details;

  bool empty = true; ///< the object had no field at all
  std::uint8_t repaired = 0;
};

template <typename Read>
bool read_argument(const chrome_trace::Key& key, TimelineEvent& event, Read& read) {
  switch (key.first()) {
  case 's':
    if (key.is("step_num")) return read.integer(event.step);
    if (key.is("start_time_since_epoch_in_micros")) return read.integer(event.epoch_start);
    return read.skip();
  case 't':
    if (key.is("tid") || key.is("thread_id")) return read.integer(event.args_tid);
    return read.skip();
  case 'p':
    if (key.is("pid")) return read.integer(event.args_pid);
    if (key.is("pin_memory")) return read.flag(event.details.pin_memory);
    return read.skip();
  case 'n':
    if (key.is("name")) return read.text(event.args_name);
    if (key.is("num_workers")) return read.integer(event.details.num_workers);
    return read.skip();
  case 'b':
    if (key.is("bytes_fetched")) return read.integer(event.details.bytes);
    if (key.is("batch_size")) return read.integer(event.details.batch_size);
    return read.skip();
  case 'w':
    if (key.is("worker_id")) return read.integer(event.details.worker_id);
    return read.skip();
  default:
    return read.skip();
  }
}

template <typename Read>
bool read_arguments(chrome_trace::TokenCursor& cursor, TimelineEvent& event, Read& read) {
  if (cursor.peek() != '{') return read.skip();
  return chrome_trace::read_members(
      cursor, [&](const chrome_trace::Key& key) { return read_argument(key, event, read); });
}

template <typename Read>
bool read_field(const chrome_trace::Key& key, chrome_trace::TokenCursor& cursor,
                TimelineEvent& event, Read& read) {
  switch (key.first()) {
  case 'n':
    if (key.is("name")) return read.text(event.name);
    return read.skip();
  case 'p':
    if (key.is("ph")) return read.text(event.ph);
    if (key.is("pid")) return read.integer(event.pid);
    return read.skip();
  case 't':
    if (key.is("ts")) return read.number(event.ts);
    if (key.is("tid")) return read.integer(event.tid);
    return read.skip();
  case 'd':
    if (key.is("dur")) return read.number(event.dur);
    return read.skip();
  case 'a':
    if (key.is("args")) return read_arguments(cursor, event, read);
    return read.skip();
  default:
    return read.skip();
  }
}

/// Goes over the event at the cursor; `read`, a ValueReader or what has its functions, takes the
/// values. False where the event is broken.
template <typename Read>
bool read_event(chrome_trace::TokenCursor& cursor, TimelineEvent& event, Read& read) {
  return chrome_trace::read_members(cursor, [&](const chrome_trace::Key& key) {
    event.empty = false;
    return read_field(key, cursor, event, read);
  });
}

} // namespace debrief::ingest
