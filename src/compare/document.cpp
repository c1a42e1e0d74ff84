#include "compare/document.h"

#include <cmath>

namespace debrief::compare {

namespace {

using nlohmann::json;

std::optional<double> number_of(const json& value) {
  if (!value.is_number()) return std::nullopt;
  const double number = value.get<double>();
  return std::isfinite(number) ? std::optional(number) : std::nullopt;
}

} // namespace

const json& at(const json& object, std::string_view key) {
  static const json null;
  if (!object.is_object()) return null;
  const auto found = object.find(key);
  return found == object.end() ? null : *found;
}

std::optional<double> number_at(const json& object, std::string_view key) {
  return number_of(at(object, key));
}

std::string text_at(const json& object, std::string_view key) {
  const json& value = at(object, key);
  return value.is_string() ? value.get<std::string>() : std::string{};
}

std::vector<const json*> rows_at(const json& object, std::string_view key) {
  std::vector<const json*> rows;
  const json& list = at(object, key);
  if (!list.is_array()) return rows;
  for (const json& row : list)
    if (row.is_object()) rows.push_back(&row);
  return rows;
}

std::vector<double> numbers_at(const json& object, std::string_view key) {
  std::vector<double> numbers;
  const json& list = at(object, key);
  if (!list.is_array()) return numbers;
  for (const json& value : list)
    if (const auto number = number_of(value)) numbers.push_back(*number);
  return numbers;
}

std::optional<double> percent_of(const std::optional<double>& part,
                                 const std::optional<double>& whole) {
  if (!part || !whole || *whole <= 0) return std::nullopt;
  return 100 * *part / *whole;
}

} // namespace debrief::compare
