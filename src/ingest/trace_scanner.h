// Splits a Chrome trace into its events, in one pass and with flat memory.
//
// The trace is a JSON array of objects, alone or under the key "traceEvents" of an object; the
// closing bracket may be missing, and the file may be cut off anywhere. Each event is handed on as
// text. An event that is broken costs only itself: the scanner goes on at the next line (or event)
// that starts with '{'.
#pragma once

#include "ingest/block_reader.h"
#include "ingest/event_walk.h"

#include <functional>
#include <string>
#include <string_view>

namespace debrief::ingest {

class TraceScanner {
public:
  /// An event's text. kPadding readable bytes follow it; `capacity` counts them in.
  struct EventText {
    std::string_view text;
    std::size_t capacity = 0;
    std::uint64_t offset = 0; ///< in the decompressed file
  };

  enum class Verdict { good, broken };

  /// `before`, where given, is set to the file's text before the first event, up to and with the
  /// '['.
  explicit TraceScanner(BlockReader& bytes, std::string* before = nullptr)
      : bytes_(bytes)
      , before_(before) {}

  /// Moves to the first byte after the '[' that opens the events; false where there is none. For
  /// callers that split the events themselves.
  bool enter_array();

  /// Calls `take` for every event, which says whether it could parse it. `broken` is called with
  /// the offset of each event that could not be split off or parsed.
  void run(const std::function<Verdict(const EventText&)>& take,
           const std::function<void(std::uint64_t offset)>& broken);

  /// Whether the array of events was found at all.
  bool found_events() const { return found_events_; }

  /// Whether the file ended inside an event (text after the last whole event was lost).
  bool cut_off() const { return cut_off_; }

  /// Whether something follows a list of events that stands alone, such as a second one.
  bool followed() const { return followed_; }

private:
  bool opens_events(std::size_t at);
  bool skip_to_event();
  void look_behind_list();
  bool next_byte_available();
  std::size_t find_event_end();
  std::size_t resync_after(std::size_t event_length) const;

  void pass(std::size_t count);

  BlockReader& bytes_;
  std::string* before_;
  bool found_events_ = false;
  bool cut_off_ = false;
  bool alone_ = false; ///< the list is the whole document, not a member of it
  bool followed_ = false;
  std::size_t walked_ = 0; ///< bytes of the last event, as far as it was looked at
  ResyncBudget patience_;
};

} // namespace debrief::ingest
