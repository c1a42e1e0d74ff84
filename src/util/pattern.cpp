#include "util/pattern.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <string>

namespace debrief {

namespace {

constexpr std::size_t kMaxPattern = 4096; ///< bytes
constexpr std::uint32_t kMaxDepth = 64;   ///< of groups within groups
constexpr std::uint32_t kMaxRepeat = 1000;

bool is_digit_byte(unsigned char c) {
  return c >= '0' && c <= '9';
}

bool is_space(unsigned char c) {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

bool is_word(unsigned char c) {
  return is_digit_byte(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         c >= 0x80;
}

} // namespace

/// Turns a pattern's text into nodes; every function gives false where it is not valid.
class PatternParser {
public:
  PatternParser(std::string_view text, Pattern& out)
      : text_(text)
      , out_(out) {}

  bool parse() {
    if (text_.size() > kMaxPattern) return false;
    if (text_.starts_with("(?i)")) {
      ignore_case_ = true;
      at_ = 4;
    }
    return alternatives(out_.first_, out_.count_, 0) && at_ == text_.size();
  }

private:
  using Node = Pattern::Node;
  using Kind = Pattern::Kind;

  bool more() const { return at_ < text_.size(); }

  bool take(std::string_view expected) {
    if (!text_.substr(at_).starts_with(expected)) return false;
    at_ += expected.size();
    return true;
  }

  bool alternatives(std::uint32_t& first, std::uint32_t& count, std::uint32_t depth) {
    if (depth > kMaxDepth) return false;
    std::vector<std::vector<Node>> found(1);
    while (more() && text_[at_] != ')') {
      if (take("|")) {
        found.emplace_back();
        continue;
      }
      Node node;
      if (!atom(node, depth) || !repetition(node)) return false;
      found.back().push_back(node);
    }
    first = static_cast<std::uint32_t>(out_.sequences_.size());
    count = static_cast<std::uint32_t>(found.size());
    std::move(found.begin(), found.end(), std::back_inserter(out_.sequences_));
    return true;
  }

  bool atom(Node& node, std::uint32_t depth) {
    const char c = text_[at_++];
    switch (c) {
    case '.':
      node.kind = Kind::any;
      return true;
    case '^':
      node.kind = Kind::start;
      return true;
    case '$':
      node.kind = Kind::end;
      return true;
    case '(':
      return group(node, depth);
    case '[':
      return bracket(node);
    case '\\':
      return escape(node);
    case '*':
    case '+':
    case '?':
      return false; // nothing to repeat
    default:
      add_class(node, [c](unsigned char byte) { return byte == static_cast<unsigned char>(c); });
      return true;
    }
  }

  bool group(Node& node, std::uint32_t depth) {
    node.kind = Kind::group;
    if (take("?:")) {
    } else if (take("?=")) {
      node.kind = Kind::look_ahead;
    } else if (take("?!")) {
      node.kind = Kind::no_look_ahead;
    } else if (take("?<=")) {
      node.kind = Kind::look_behind;
    } else if (take("?<!")) {
      node.kind = Kind::no_look_behind;
    } else if (take("?P<")) {
      const std::size_t close = text_.find('>', at_);
      if (close == text_.npos) return false;
      at_ = close + 1;
    } else if (more() && text_[at_] == '?') {
      return false;
    }
    return alternatives(node.index, node.count, depth + 1) && take(")");
  }

  /// What follows a backslash in or outside of brackets, as a class; false for others.
  static std::function<bool(unsigned char)> class_of(char c) {
    switch (c) {
    case 'd':
      return is_digit_byte;
    case 'D':
      return [](unsigned char byte) { return !is_digit_byte(byte); };
    case 's':
      return is_space;
    case 'S':
      return [](unsigned char byte) { return !is_space(byte); };
    case 'w':
      return is_word;
    case 'W':
      return [](unsigned char byte) { return !is_word(byte); };
    default:
      return nullptr;
    }
  }

  /// A byte that stands for itself behind a backslash.
  static bool literal_of(char c, unsigned char& out) {
    switch (c) {
    case 'n':
      out = '\n';
      return true;
    case 't':
      out = '\t';
      return true;
    case 'r':
      out = '\r';
      return true;
    default:
      out = static_cast<unsigned char>(c);
      return std::isalnum(out) == 0;
    }
  }

  bool escape(Node& node) {
    if (!more()) return false;
    const char c = text_[at_++];
    if (c == 'b' || c == 'B') {
      node.kind = c == 'b' ? Kind::word_edge : Kind::no_word_edge;
      return true;
    }
    if (c == 'A' || c == 'Z') {
      node.kind = c == 'A' ? Kind::start : Kind::end;
      return true;
    }
    if (const auto belongs = class_of(c)) {
      add_class(node, belongs);
      return true;
    }
    unsigned char byte = 0;
    if (!literal_of(c, byte)) return false;
    add_class(node, [byte](unsigned char other) { return other == byte; });
    return true;
  }

  bool bracket(Node& node) {
    const bool inverted = take("^");
    Pattern::Class members(256, false);
    bool first = true;
    while (more() && (first || text_[at_] != ']')) {
      first = false;
      unsigned char from = 0;
      char c = text_[at_++];
      if (c == '\\') {
        if (!more()) return false;
        c = text_[at_++];
        if (const auto belongs = class_of(c)) {
          for (std::size_t byte = 0; byte < members.size(); ++byte)
            if (belongs(static_cast<unsigned char>(byte))) members[byte] = true;
          continue;
        }
        if (!literal_of(c, from)) return false;
      } else {
        from = static_cast<unsigned char>(c);
      }
      unsigned char to = from;
      if (at_ + 1 < text_.size() && text_[at_] == '-' && text_[at_ + 1] != ']') {
        ++at_;
        to = static_cast<unsigned char>(text_[at_++]);
        if (to == '\\' && (!more() || !literal_of(text_[at_++], to))) return false;
        if (to < from) return false;
      }
      for (std::size_t byte = from; byte <= to; ++byte)
        members[byte] = true;
    }
    if (!take("]")) return false;
    add_class(
        node, [&](unsigned char byte) { return members[byte]; }, inverted);
    return true;
  }

  void add_class(Node& node, const std::function<bool(unsigned char)>& belongs,
                 bool inverted = false) {
    Pattern::Class members(256, false);
    for (std::size_t byte = 0; byte < members.size(); ++byte) {
      const auto c = static_cast<unsigned char>(byte);
      bool in = belongs(c);
      if (ignore_case_ && !in && c < 0x80)
        in = belongs(static_cast<unsigned char>(std::tolower(c))) ||
             belongs(static_cast<unsigned char>(std::toupper(c)));
      members[byte] = in != inverted;
    }
    node.kind = Kind::one;
    node.index = static_cast<std::uint32_t>(out_.classes_.size());
    out_.classes_.push_back(std::move(members));
  }

  bool number(std::uint32_t& out) {
    const std::size_t begin = at_;
    out = 0;
    while (more() && is_digit_byte(static_cast<unsigned char>(text_[at_])) && out <= kMaxRepeat)
      out = out * 10 + static_cast<std::uint32_t>(text_[at_++] - '0');
    return at_ > begin && out <= kMaxRepeat;
  }

  /// "{2}", "{2,}", "{,3}" or "{2,3}"; a brace that is none of these stands for itself.
  bool braces(Node& node) {
    const std::size_t begin = at_;
    if (!take("{")) return false;
    std::uint32_t low = 0;
    std::uint32_t high = Pattern::kNoMax;
    const bool has_low = number(low);
    if (take(",")) {
      if (std::uint32_t limit = 0; number(limit)) high = limit;
    } else {
      high = low;
      if (!has_low) {
        at_ = begin;
        return false;
      }
    }
    if (!take("}") || high < low) {
      at_ = begin;
      return false;
    }
    node.min = low;
    node.max = high;
    return true;
  }

  bool repetition(Node& node) {
    if (take("*")) {
      node.min = 0;
      node.max = Pattern::kNoMax;
    } else if (take("+")) {
      node.max = Pattern::kNoMax;
    } else if (take("?")) {
      node.min = 0;
    } else if (!braces(node)) {
      return true;
    }
    node.lazy = take("?");
    return !more() || (text_[at_] != '*' && text_[at_] != '+' && text_[at_] != '?');
  }

  std::string_view text_;
  Pattern& out_;
  std::size_t at_ = 0;
  bool ignore_case_ = false;
};

/// Backtracks through a text. What is left to match behind a node is a function of the place.
class PatternSearch {
public:
  PatternSearch(const Pattern& pattern, std::string_view text, std::uint32_t most)
      : pattern_(pattern)
      , text_(text)
      , most_(most) {}

  std::uint32_t steps() const { return std::min(steps_, most_); }

  bool anywhere() {
    for (std::size_t at = 0; at <= text_.size() && !exhausted(); ++at)
      if (alternatives(pattern_.first_, pattern_.count_, at, [](std::size_t) { return true; }))
        return true;
    return false;
  }

private:
  using Node = Pattern::Node;
  using Kind = Pattern::Kind;
  using Rest = std::function<bool(std::size_t)>;

  static constexpr std::uint32_t kMaxNesting = 1000; ///< of calls, so that the stack suffices

  bool exhausted() const { return steps_ > most_; }

  bool alternatives(std::uint32_t first, std::uint32_t count, std::size_t at, const Rest& rest) {
    for (std::uint32_t i = 0; i < count; ++i)
      if (sequence(pattern_.sequences_[first + i], 0, at, rest)) return true;
    return false;
  }

  bool sequence(const std::vector<Node>& nodes, std::size_t place, std::size_t at,
                const Rest& rest) {
    if (++steps_ > most_ || nesting_ > kMaxNesting) return false;
    if (place == nodes.size()) return rest(at);
    ++nesting_;
    const bool found = repeated(nodes, place, at, rest);
    --nesting_;
    return found;
  }

  bool repeated(const std::vector<Node>& nodes, std::size_t place, std::size_t at,
                const Rest& rest) {
    const Node& node = nodes[place];
    if (node.kind == Kind::one || node.kind == Kind::any) return bytes(nodes, place, at, rest);
    return groups(nodes, place, at, 0, rest);
  }

  bool is_one(const Node& node, std::size_t at) const {
    const auto byte = static_cast<unsigned char>(text_[at]);
    return node.kind == Kind::any ? byte != '\n' : pattern_.classes_[node.index][byte];
  }

  /// A repeated byte needs no nesting: how many there are is counted first.
  bool bytes(const std::vector<Node>& nodes, std::size_t place, std::size_t at, const Rest& rest) {
    const Node& node = nodes[place];
    std::size_t most = 0;
    while (most < node.max && at + most < text_.size() && is_one(node, at + most))
      ++most;
    if (most < node.min) return false;
    for (std::size_t i = 0; i <= most - node.min && !exhausted(); ++i)
      if (sequence(nodes, place + 1, at + (node.lazy ? node.min + i : most - i), rest)) return true;
    return false;
  }

  bool groups(const std::vector<Node>& nodes, std::size_t place, std::size_t at, std::uint32_t done,
              const Rest& rest) {
    const Node& node = nodes[place];
    const auto behind = [&] { return sequence(nodes, place + 1, at, rest); };
    const auto once_more = [&] {
      if (done >= node.max) return false;
      return single(node, at, [&](std::size_t end) {
        if (end == at && done >= node.min) return false; // would repeat nothing without end
        if (++steps_ > most_ || nesting_ > kMaxNesting) return false;
        ++nesting_;
        const bool found = groups(nodes, place, end, done + 1, rest);
        --nesting_;
        return found;
      });
    };
    if (done < node.min) return once_more();
    return node.lazy ? behind() || once_more() : once_more() || behind();
  }

  bool single(const Node& node, std::size_t at, const Rest& rest) {
    const Rest accept = [](std::size_t) { return true; };
    switch (node.kind) {
    case Kind::start:
      return at == 0 && rest(at);
    case Kind::end:
      return (at == text_.size() || (at + 1 == text_.size() && text_[at] == '\n')) && rest(at);
    case Kind::word_edge:
      return at_edge(at) && rest(at);
    case Kind::no_word_edge:
      return !at_edge(at) && rest(at);
    case Kind::look_ahead:
      return alternatives(node.index, node.count, at, accept) && rest(at);
    case Kind::no_look_ahead:
      return !alternatives(node.index, node.count, at, accept) && rest(at);
    case Kind::look_behind:
      return ends_here(node, at) && rest(at);
    case Kind::no_look_behind:
      return !ends_here(node, at) && rest(at);
    default:
      return alternatives(node.index, node.count, at, rest);
    }
  }

  bool ends_here(const Node& node, std::size_t at) {
    for (std::size_t from = at + 1; from-- > 0;)
      if (alternatives(node.index, node.count, from, [at](std::size_t end) { return end == at; }))
        return true;
    return false;
  }

  bool at_edge(std::size_t at) const {
    const auto word_at = [&](std::size_t place) {
      return place < text_.size() && is_word(static_cast<unsigned char>(text_[place]));
    };
    return word_at(at) != (at > 0 && word_at(at - 1));
  }

  const Pattern& pattern_;
  std::string_view text_;
  std::uint32_t most_; ///< steps
  std::uint32_t steps_ = 0;
  std::uint32_t nesting_ = 0;
};

std::optional<Pattern> Pattern::parse(std::string_view text) {
  Pattern out;
  if (!PatternParser{text, out}.parse()) return std::nullopt;
  return out;
}

bool Pattern::search(std::string_view text) const {
  std::uint64_t left = kMaxSteps;
  return search(text, left);
}

bool Pattern::search(std::string_view text, std::uint64_t& left) const {
  PatternSearch search{*this, text,
                       static_cast<std::uint32_t>(std::min<std::uint64_t>(left, kMaxSteps))};
  const bool found = search.anywhere();
  left -= search.steps();
  return found;
}

} // namespace debrief
