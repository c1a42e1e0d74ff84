// How an event of a timeline is written, but for its numbers and texts. A recorder writes events
// alike, byte for byte, around them: an event that fits the shape of an earlier one says the same
// with other values, and no tokens have to be found in it. (LineShape is the like for lines of
// system metrics.)
#pragma once

#include "ingest/timeline_event.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::ingest {

class TimelineShape {
public:
  /// Whether events like this one are worth a shape: short intervals that were read without repair.
  /// `start` is where the cursor stood before it; its tokens are the event's own.
  static bool suits(const chrome_trace::TokenCursor& start, const TimelineEvent& event);

  /// Of `event`, which was read from `start` on.
  TimelineShape(chrome_trace::TokenCursor start, const TimelineEvent& event);

  TimelineShape(const TimelineShape&) = delete; // slots point into the event
  TimelineShape& operator=(const TimelineShape&) = delete;

  /// Reads the event at `text` into event() and returns where it ends; null where it does not fit.
  /// BlockReader::kPadding bytes behind `end` are readable.
  const char* read(const char* text, const char* end);

  /// The same, and faster, for an event that has new values only where earlier ones had.
  const char* read_repetition(const char* text, const char* end) const {
    return is_settled_ ? varying_.read(text, end, nullptr) : nullptr;
  }

  /// That was read last. Its texts are parts of what it was read from, or of the shape.
  const TimelineEvent& event() const { return event_; }

private:
  class Recorder;

  enum class Kind { integer, number, text };

  /// A place for a value. The pointer of its kind says where the value goes; null: nowhere. No two
  /// slots have the same place to write to: of a key that comes twice the last one counts.
  struct Slot {
    Kind kind = Kind::text;
    std::size_t before = 0; ///< fixed bytes between the slot before and this one
    std::optional<std::int64_t>* integer = nullptr;
    std::optional<double>* number = nullptr;
    std::string_view* text = nullptr;

    const char* read(const char* text) const;
  };

  /// Bytes that are always the same, and slots among them.
  struct Pattern {
    std::string fixed; ///< what is before, between and behind the slots, and eight bytes more
    std::vector<Slot> slots;
    std::size_t behind = 0; ///< bytes of `fixed` behind the last slot

    /// `values` gets what stood in the slots, if it is not null.
    const char* read(const char* text, const char* end, std::string_view* values) const;
  };

  /// What is known of one value.
  struct Value {
    std::string last;
    bool varies = false;
  };

  void settle();

  TimelineEvent event_;
  Pattern all_;               ///< has a slot for every value
  Pattern varying_;           ///< has slots for those that vary; the others are as in `event_`
  bool is_settled_ = false;   ///< `varying_` can be used
  std::vector<Value> values_; ///< of the slots of `all_`
  std::vector<std::string_view> seen_; ///< in the slots of `all_`, by the last read()
};

} // namespace debrief::ingest
