// Regular expressions as Python's `re` writes them, for names of tensors: jobs and people bring
// patterns with lookahead and lookbehind, which std::regex does not have, and a pattern of a job is
// untrusted, so that a search must end after a fixed amount of work.
//
// Known are literals, ".", classes, groups, alternatives, greedy and lazy repetition, "^" and "$",
// "\b", "\d", "\w", "\s" and their opposites, lookaround, and "(?i)" at the start. Text is bytes.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace debrief {

class Pattern {
public:
  /// Nothing where the text is no valid pattern, or has what is not known here (back references).
  static std::optional<Pattern> parse(std::string_view text);

  /// Whether the pattern matches somewhere in `text`, as re.search. A search that takes more than
  /// kMaxSteps steps finds nothing.
  bool search(std::string_view text) const;

  /// The same with what is `left` of steps for many searches, of which those of this one are taken.
  bool search(std::string_view text, std::uint64_t& left) const;

  static constexpr std::uint32_t kMaxSteps = 200'000;

private:
  friend class PatternParser;
  friend class PatternSearch;

  enum class Kind : std::uint8_t {
    one, ///< a byte of a class
    any, ///< a byte but a line's end
    start,
    end,
    word_edge,
    no_word_edge,
    group, ///< alternatives, each a sequence
    look_ahead,
    no_look_ahead,
    look_behind,
    no_look_behind,
  };

  /// Bytes that a class has.
  using Class = std::vector<bool>;

  struct Node {
    Kind kind = Kind::one;
    std::uint32_t min = 1;
    std::uint32_t max = 1; ///< kNoMax: any number
    bool lazy = false;
    std::uint32_t index = 0; ///< of the class, or of the first alternative
    std::uint32_t count = 0; ///< of alternatives
  };

  static constexpr std::uint32_t kNoMax = 0xffffffffU;

  std::vector<Class> classes_;
  std::vector<std::vector<Node>> sequences_; ///< alternatives of a group follow one another
  std::uint32_t first_ = 0;                  ///< of the pattern's own alternatives
  std::uint32_t count_ = 0;
};

} // namespace debrief
