#include "findings/words.h"

#include "util/text.h"

#include <fmt/format.h>

namespace debrief::findings::words {

std::string percent(double share) {
  const double value = 100 * share;
  return value != 0 && value < 9.95 ? fmt::format("{:.1f} %", value)
                                    : fmt::format("{:.0f} %", value);
}

std::string times(double factor) {
  return factor < 9.95 ? fmt::format("{:.1f}", factor) : fmt::format("{:.0f}", factor);
}

std::string grouped(std::int64_t count) {
  std::string digits = std::to_string(count);
  for (std::size_t at = digits.size(); at > 3; at -= 3)
    digits.insert(at - 3, 1, ',');
  return digits;
}

std::string counted(std::int64_t count, const char* noun) {
  return fmt::format("{} {}{}", grouped(count), noun, count == 1 ? "" : "s");
}

std::string place(const std::string& node, const std::string& device) {
  if (node.empty() || device.empty()) return printable(node + device);
  return fmt::format("{} {}", printable(node), printable(device));
}

} // namespace debrief::findings::words
