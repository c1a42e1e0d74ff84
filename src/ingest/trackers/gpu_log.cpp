#include "ingest/trackers/gpu_log.h"

#include <charconv>

namespace debrief::ingest::trackers {

std::optional<double> gpu_log_number(std::string_view cell) {
  if (cell.empty() || !(cell.front() >= '0' && cell.front() <= '9')) return std::nullopt;
  double value = 0;
  const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (error != std::errc{}) return std::nullopt;
  // A unit stands apart: "12abc" is no number.
  const bool whole = end == cell.data() + cell.size() || *end == ' ';
  return whole ? std::optional{value} : std::nullopt;
}

} // namespace debrief::ingest::trackers
