#include "util/python_float.h"

#include <fmt/format.h>

#include <charconv>

namespace debrief {

std::string python_float(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".e") == text.npos) text += ".0";
  return text;
}

double python_round(double value, int decimals) {
  const std::string text = fmt::format("{:.{}f}", value, decimals);
  double rounded = value;
  std::from_chars(text.data(), text.data() + text.size(), rounded);
  return rounded;
}

} // namespace debrief
