// A line of system metrics but for its two numbers. A recorder writes the lines of one series
// alike, byte for byte, around Value and Timestamp: a line that fits the shape of an earlier one
// says the same with other numbers, and needs no JSON parser.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace debrief::ingest {

class LineShape {
public:
  struct Numbers {
    double value = 0;
    double timestamp = 0;
  };

  /// Fits no line.
  LineShape() = default;

  /// `value` and `timestamp` are parts of `line`: the texts of its numbers.
  LineShape(std::string_view line, std::string_view value, std::string_view timestamp);

  /// The bytes of the line that `text` starts with, its newline with them, if it fits; else 0, also
  /// where too little follows to tell.
  std::size_t read(std::string_view text, Numbers& into) const;

private:
  std::string fixed_;      ///< what is before, between and behind the numbers
  std::size_t first_ = 0;  ///< in `fixed_`: where the first number belongs
  std::size_t second_ = 0; ///< and the second
  bool timestamp_first_ = false;
};

} // namespace debrief::ingest
