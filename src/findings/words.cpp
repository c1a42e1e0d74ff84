#include "findings/words.h"

#include "findings/thresholds.h"
#include "util/number_text.h"
#include "util/text.h"

#include <fmt/format.h>

namespace debrief::findings::words {

std::string percent(double share) {
  return percent_text(100 * share);
}

std::string times(double factor) {
  return factor < 9.95 ? fmt::format("{:.1f}", factor) : fmt::format("{:.0f}", factor);
}

std::string gain(double factor) {
  return factor > thresholds::kMaxGain
             ? fmt::format("Training could run more than {} times faster.",
                           times(thresholds::kMaxGain))
             : fmt::format("Training could run up to {} times faster.", times(factor));
}

std::string counted(std::int64_t count, const char* noun) {
  return fmt::format("{} {}{}", count_text(count), noun, count == 1 ? "" : "s");
}

std::string joined(const std::vector<std::string>& sentences) {
  return fmt::format("{}", fmt::join(sentences, " "));
}

std::string place(const std::string& node, const std::string& device) {
  if (node.empty() || device.empty()) return printable(node + device);
  return fmt::format("{} {}", printable(node), printable(device));
}

} // namespace debrief::findings::words
