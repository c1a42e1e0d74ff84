#include "ingest/line_shape.h"

#include "ingest/plain_number.h"

#include <cstring>
#include <utility>

namespace debrief::ingest {

LineShape::LineShape(std::string_view line, std::string_view value, std::string_view timestamp)
    : timestamp_first_(timestamp.data() < value.data()) {
  if (timestamp_first_) std::swap(value, timestamp);
  const auto first = static_cast<std::size_t>(value.data() - line.data());
  const auto second = static_cast<std::size_t>(timestamp.data() - line.data());
  fixed_.reserve(line.size() - value.size() - timestamp.size() + 1);
  fixed_ += line.substr(0, first);
  first_ = fixed_.size();
  fixed_ += line.substr(first + value.size(), second - first - value.size());
  second_ = fixed_.size();
  fixed_ += line.substr(second + timestamp.size());
  fixed_ += '\n';
}

std::size_t LineShape::read(std::string_view text, Numbers& into) const {
  if (fixed_.empty() || text.size() < fixed_.size() + std::size_t{2} * kMaxPlainNumberBytes)
    return 0;
  const char* at = text.data();
  const char* const fixed = fixed_.data();
  double first = 0;
  double second = 0;
  if (std::memcmp(at, fixed, first_) != 0) return 0;
  at = read_plain_number(at + first_, first);
  if (at == nullptr || std::memcmp(at, fixed + first_, second_ - first_) != 0) return 0;
  at = read_plain_number(at + (second_ - first_), second);
  if (at == nullptr || std::memcmp(at, fixed + second_, fixed_.size() - second_) != 0) return 0;
  into = timestamp_first_ ? Numbers{second, first} : Numbers{first, second};
  return static_cast<std::size_t>(at - text.data()) + fixed_.size() - second_;
}

} // namespace debrief::ingest
