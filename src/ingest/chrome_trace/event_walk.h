// Finds the end of one event of a trace by its brackets alone, so that a broken event can be told
// from those around it. Knows strings and depth, nothing else of JSON's grammar.
#pragma once

#include <cstddef>
#include <string_view>

namespace debrief::ingest::chrome_trace {

/// Goes on where it stopped when more of the text has come.
class EventWalk {
public:
  enum class Seen { end_of_text, end_of_event, broken };

  /// `text` starts with the event's '{'.
  Seen go_on(std::string_view text);

  std::size_t length() const { return at_; }

private:
  Seen walk_string(std::string_view text);
  Seen walk_outside(std::string_view text);

  std::size_t at_ = 0;
  int depth_ = 0;
  bool in_string_ = false;
};

/// How far an event's end is looked for. A missing bracket hides all that follows; where that
/// happens again and again, less is risked, so that no file takes more than linear time.
class ResyncBudget {
public:
  std::size_t longest_event() const { return wasted_ < kSome ? 4 * kMegabyte : 64 * kKilobyte; }

  /// Whether to go on behind what was walked over in vain, instead of looking for events inside.
  bool is_spent() const { return wasted_ >= kMax; }

  /// Bytes walked over in vain.
  void waste(std::size_t bytes) { wasted_ += bytes; }

private:
  static constexpr std::size_t kKilobyte = 1024;
  static constexpr std::size_t kMegabyte = 1024 * kKilobyte;
  static constexpr std::size_t kSome = 32 * kMegabyte;
  static constexpr std::size_t kMax = 128 * kMegabyte;

  std::size_t wasted_ = 0;
};

} // namespace debrief::ingest::chrome_trace
