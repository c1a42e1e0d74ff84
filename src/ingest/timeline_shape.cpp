#include "ingest/timeline_shape.h"

#include "ingest/digits.h"
#include "ingest/plain_number.h"

#include <bit>
#include <cstring>
#include <utility>

namespace debrief::ingest {

namespace {

/// The quote that ends the text at `at`; null where something else than plain ASCII comes before
/// it.
const char* end_of_text(const char* at) {
  if constexpr (std::endian::native == std::endian::little) {
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    constexpr std::uint64_t kHighs = 0x8080808080808080;
    // The high bit of each byte that is zero. Differences borrow only behind the first of them.
    const auto zeros = [](std::uint64_t bytes) { return (bytes - kOnes) & ~bytes & kHighs; };
    for (;; at += sizeof(std::uint64_t)) {
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, at, sizeof bytes);
      const std::uint64_t quotes = zeros(bytes ^ kOnes * '"');
      const std::uint64_t others = zeros(bytes ^ kOnes * '\\') |
                                   ((bytes - kOnes * 0x20) & ~bytes & kHighs) | (bytes & kHighs);
      if ((quotes | others) == 0) continue;
      at += std::countr_zero(quotes | others) / 8;
      return *at == '"' ? at : nullptr;
    }
  }
  for (; *at != '"'; ++at)
    if (*at == '\\' || static_cast<unsigned char>(*at - 0x20) >= 0x60) return nullptr;
  return at;
}

/// Whether `size` bytes are the same. Eight more behind each are readable. Most runs are too short
/// for a call of memcmp() to be worth it.
bool same_bytes(const char* a, const char* b, std::size_t size) {
  if constexpr (std::endian::native == std::endian::little) {
    const auto differing = [&](std::size_t at) {
      std::uint64_t left = 0;
      std::uint64_t right = 0;
      std::memcpy(&left, a + at, sizeof left);
      std::memcpy(&right, b + at, sizeof right);
      return left ^ right;
    };
    std::size_t at = 0;
    for (; at + sizeof(std::uint64_t) <= size; at += sizeof(std::uint64_t))
      if (differing(at) != 0) return false;
    const std::size_t rest = size - at;
    return rest == 0 || differing(at) << (64 - 8 * rest) == 0;
  }
  return std::memcmp(a, b, size) == 0;
}

} // namespace

/// Takes the place of a ValueReader: notes where an event's values are instead of reading them.
/// What is neither number nor text stays as it is in the shape.
class TimelineShape::Recorder {
public:
  Recorder(Pattern& pattern, chrome_trace::TokenCursor& cursor)
      : pattern_(pattern)
      , cursor_(cursor)
      , fixed_(cursor.here()) {}

  bool integer(std::optional<std::int64_t>& into) {
    Slot slot{Kind::integer};
    slot.integer = &into;
    if (is_text() || is_number()) add(slot);
    return cursor_.skip_value();
  }

  bool number(std::optional<double>& into) {
    Slot slot{is_text() ? Kind::text : Kind::number};
    if (!is_text()) slot.number = &into;
    if (is_text() || is_number()) add(slot);
    return cursor_.skip_value();
  }

  bool text(std::string_view& into) {
    Slot slot{is_text() ? Kind::text : Kind::number};
    if (is_text()) slot.text = &into;
    if (is_text() || is_number()) add(slot);
    return cursor_.skip_value();
  }

  bool flag(std::optional<bool>& /*into*/) { return skip(); }

  bool skip() {
    if (is_text() || is_number()) add({is_text() ? Kind::text : Kind::number});
    return cursor_.skip_value();
  }

  void finish(const char* end) {
    pattern_.fixed.append(fixed_, end);
    pattern_.fixed.append(sizeof(std::uint64_t), '\0'); // for same_bytes()
    pattern_.behind = static_cast<std::size_t>(end - fixed_);
  }

private:
  bool is_text() const { return cursor_.peek() == '"'; }

  bool is_number() const { return cursor_.peek() == '-' || is_digit(cursor_.peek()); }

  /// The quotes of a text stay with what is around it.
  void add(Slot slot) {
    const std::string_view token = cursor_.token();
    const std::size_t quote = is_text() ? 1 : 0;
    const char* const first = token.data() + quote;
    pattern_.fixed.append(fixed_, first);
    slot.before = static_cast<std::size_t>(first - fixed_);
    for (Slot& earlier : pattern_.slots) {
      if (earlier.integer == slot.integer) earlier.integer = nullptr;
      if (earlier.number == slot.number) earlier.number = nullptr;
      if (earlier.text == slot.text) earlier.text = nullptr;
    }
    pattern_.slots.push_back(slot);
    fixed_ = token.data() + token.size() - quote;
  }

  Pattern& pattern_;
  chrome_trace::TokenCursor& cursor_;
  const char* fixed_; ///< behind the last slot
};

bool TimelineShape::suits(const chrome_trace::TokenCursor& start, const TimelineEvent& event) {
  constexpr std::ptrdiff_t kMaxTokens = 400; // recorders write some 40; a hostile file, a million
  constexpr std::uint32_t kMaxBytes = 8192;
  return event.repaired == 0 && (event.ph == "X" || event.ph == "B" || event.ph == "E") &&
         start.end - start.at <= kMaxTokens && *start.end - *start.at <= kMaxBytes;
}

TimelineShape::TimelineShape(chrome_trace::TokenCursor start, const TimelineEvent& event)
    : event_(event) {
  Recorder recorder{all_, start};
  read_event(start, event_, recorder);
  recorder.finish(start.text + start.at[-1] + 1); // behind the '}'
  seen_.resize(all_.slots.size());
}

const char* TimelineShape::Slot::read(const char* from) const {
  switch (kind) {
  case Kind::integer: {
    std::int64_t value = 0;
    const char* const end = take_integer(from, value);
    if (end != nullptr && integer != nullptr) *integer = value;
    return end;
  }
  case Kind::number: {
    std::int64_t whole = 0;
    const char* end = take_integer(from, whole);
    auto value = static_cast<double>(whole);
    if (end != nullptr && *end == '.') end = read_plain_number(from, value);
    if (end != nullptr && number != nullptr) *number = value;
    return end;
  }
  case Kind::text: {
    const char* const end = end_of_text(from);
    if (end != nullptr && text != nullptr) *text = {from, static_cast<std::size_t>(end - from)};
    return end;
  }
  }
  return nullptr;
}

[[gnu::flatten]] const char* TimelineShape::Pattern::read(const char* text, const char* end,
                                                          std::string_view* values) const {
  const char* expected = fixed.data();
  const auto pass_fixed = [&](std::size_t size) {
    if (static_cast<std::size_t>(end - text) < size || !same_bytes(text, expected, size))
      return false;
    text += size;
    expected += size;
    return true;
  };
  for (const Slot& slot : slots) {
    if (!pass_fixed(slot.before)) return nullptr;
    const char* const from = text;
    text = slot.read(from);
    if (text == nullptr || text > end) return nullptr;
    if (values != nullptr) *values++ = {from, static_cast<std::size_t>(text - from)};
  }
  return pass_fixed(behind) ? text : nullptr;
}

const char* TimelineShape::read(const char* text, const char* end) {
  const TimelineEvent before = event_;
  const char* const behind = all_.read(text, end, seen_.data());
  if (behind != nullptr)
    settle();
  else
    event_ = before; // of an event that does not fit, a part may have been read
  return behind;
}

/// A value varies from the first change on.
void TimelineShape::settle() {
  const bool is_first = values_.empty();
  values_.resize(seen_.size());
  varying_ = {};
  std::size_t fixed = 0; // of `all_`, that are copied
  for (std::size_t i = 0; i < seen_.size(); ++i) {
    Value& value = values_[i];
    if (!is_first && value.last != seen_[i]) value.varies = true;
    value.last = seen_[i];
    const Slot& slot = all_.slots[i];
    varying_.fixed.append(all_.fixed, fixed, slot.before);
    varying_.behind += slot.before;
    fixed += slot.before;
    if (value.varies) {
      varying_.slots.push_back(slot);
      varying_.slots.back().before = std::exchange(varying_.behind, 0);
    } else {
      if (slot.text != nullptr) *slot.text = value.last; // what it was read from goes
      varying_.fixed.append(value.last);
      varying_.behind += value.last.size();
    }
  }
  varying_.fixed.append(all_.fixed, fixed);
  varying_.behind += all_.behind;
  is_settled_ = true;
}

} // namespace debrief::ingest
