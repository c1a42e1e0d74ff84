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

std::string gain(double factor, bool per_sample) {
  const bool backed = factor <= thresholds::kMaxGain;
  return fmt::format("Training could {} {} {} times faster.",
                     per_sample ? "process samples" : "run", backed ? "up to" : "more than",
                     times(backed ? factor : thresholds::kMaxGain));
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
