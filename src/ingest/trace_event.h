// One event of a Chrome trace as a recorder wrote it, before it is given a meaning.
#pragma once

#include "ingest/trace_scanner.h"

#include <simdjson.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace debrief::ingest {

/// Text is valid until the next event is parsed. What the event does not have is absent or empty.
struct TraceEvent {
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
  std::optional<std::int64_t> bytes_fetched;
  std::optional<std::int64_t> num_workers;
  std::optional<std::int64_t> worker_id;
  std::optional<bool> pin_memory;

  bool empty = true; ///< the object had no field at all
};

class TraceEventParser {
public:
  /// False where the text is not valid JSON.
  bool parse(const TraceScanner::EventText& text, TraceEvent& event);

private:
  bool parse_args(simdjson::ondemand::value value, TraceEvent& event);

  simdjson::ondemand::parser parser_;
};

} // namespace debrief::ingest
