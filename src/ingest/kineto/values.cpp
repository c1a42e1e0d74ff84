#include "ingest/kineto/values.h"

#include "ingest/event_walk.h"

#include <charconv>
#include <cmath>
#include <cstring>

namespace debrief::kineto {

namespace {

using simdjson::error_code;
using simdjson::SUCCESS;

/// The integer that `text` starts with, if nothing but a fraction follows it ("68.0").
template <typename Integer>
std::optional<Integer> integer_in(std::string_view text) {
  Integer integer = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, integer);
  if (error != std::errc{}) return std::nullopt;
  if (stop != end && *stop != '.' && *stop != 'e' && *stop != 'E') return std::nullopt;
  return integer;
}

} // namespace

/// What the value is by its first byte; `token` becomes its bytes, without the quotes of a text.
ValueReader::Type ValueReader::look(Value& value, std::string_view& token) {
  token = value.raw_json_token();
  while (!token.empty() && is_json_space(token.back()))
    token.remove_suffix(1);
  if (token.empty()) return Type::broken;
  switch (token.front()) {
  case '"':
    if (token.size() < 2 || token.back() != '"') return Type::broken;
    token = token.substr(1, token.size() - 2);
    return Type::text;
  case '-':
    if (token != "-Infinity") return Type::number;
    mended_ |= kNotANumber;
    return Type::other;
  case 'N':
  case 'I':
    if (token != "NaN" && token != "Infinity") return Type::broken;
    mended_ |= kNotANumber;
    return Type::other;
  case 't':
    return token == "true" ? Type::other : Type::broken;
  case 'f':
    return token == "false" ? Type::other : Type::broken;
  case 'n':
    return token == "null" ? Type::other : Type::broken;
  case '{':
  case '[':
    return Type::other;
  default:
    return token.front() >= '0' && token.front() <= '9' ? Type::number : Type::broken;
  }
}

bool ValueReader::integer(Value value, std::optional<std::int64_t>& into) {
  std::string_view token;
  const Type type = look(value, token);
  if (type == Type::number || type == Type::text)
    if (const auto number = integer_in<std::int64_t>(token)) into = number;
  return type != Type::broken;
}

bool ValueReader::integer(Value value, std::int64_t& into) {
  std::optional<std::int64_t> number;
  if (!integer(value, number)) return false;
  if (number) into = *number;
  return true;
}

bool ValueReader::small(Value value, std::int32_t& into) {
  std::optional<std::int64_t> number;
  if (!integer(value, number)) return false;
  if (number && *number >= 0 && *number <= INT32_MAX) into = static_cast<std::int32_t>(*number);
  return true;
}

bool ValueReader::address(Value value, std::uint64_t& into) {
  std::string_view token;
  const Type type = look(value, token);
  if (type == Type::number)
    if (const auto number = integer_in<std::uint64_t>(token)) into = *number;
  return type != Type::broken;
}

bool ValueReader::number(Value value, double& into) {
  std::string_view token;
  const Type type = look(value, token);
  double number = 0;
  if (type == Type::number && value.get_double().get(number) == SUCCESS && std::isfinite(number))
    into = number;
  return type != Type::broken;
}

bool ValueReader::number(Value value, float& into) {
  double number = into;
  if (!this->number(value, number)) return false;
  into = static_cast<float>(number);
  return true;
}

bool ValueReader::time(Value value, std::optional<Nanoseconds>& into) {
  std::string_view token;
  const Type type = look(value, token);
  if (type == Type::number || type == Type::text) into = parse_microseconds(token);
  return type != Type::broken;
}

bool ValueReader::text(Value value, std::string_view& into) {
  std::string_view token;
  const Type type = look(value, token);
  if (type != Type::text) return type != Type::broken;
  into = token;
  if (std::memchr(token.data(), '\\', token.size()) == nullptr) return true;
  std::string_view unescaped;
  if (value.get_string().get(unescaped) == SUCCESS)
    into = unescaped;
  else
    mended_ |= kBrokenEscape;
  return true;
}

bool ValueReader::id(Value value, Id& into) {
  const std::string_view token = value.raw_json_token();
  return token.starts_with('"') ? text(value, into.text) : integer(value, into.number);
}

bool ValueReader::array_text(Value value, std::string_view& into) {
  simdjson::ondemand::array array;
  const error_code error = value.get_array().get(array);
  if (error) return error == simdjson::INCORRECT_TYPE;
  if (array.raw_json().get(into)) return false;
  while (!into.empty() && into.back() != ']') // it ends where the next token starts
    into.remove_suffix(1);
  return true;
}

bool ValueReader::three(Value value, std::array<std::int32_t, 3>& into) {
  simdjson::ondemand::array array;
  const error_code error = value.get_array().get(array);
  if (error) return error == simdjson::INCORRECT_TYPE;
  std::size_t at = 0;
  for (auto element : array) {
    Value number;
    if (std::move(element).get(number)) return false;
    if (at < into.size() && !small(number, into[at++])) return false;
  }
  return true;
}

} // namespace debrief::kineto
