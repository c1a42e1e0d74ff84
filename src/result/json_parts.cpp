#include "result/json_parts.h"

#include <cmath>

namespace debrief::result::parts {

json number(double value) {
  if (!std::isfinite(value)) return nullptr;
  const double scaled = std::round(value * 1e6);
  if (!std::isfinite(scaled)) return value; // too large to have decimals
  return scaled / 1e6 + 0.0;                // the sum makes -0 a 0
}

json number(const std::optional<double>& value) {
  return value ? number(*value) : json(nullptr);
}

json text_or_null(const std::string& text) {
  return text.empty() ? json(nullptr) : json(text);
}

json time(const std::optional<Microseconds>& value) {
  return value ? json(to_iso8601(*value)) : json(nullptr);
}

double seconds(Microseconds duration) {
  return static_cast<double>(duration) / 1e6;
}

json span_json(const TimeSpan& span) {
  return {{"start", to_iso8601(span.first)},
          {"end", to_iso8601(span.last)},
          {"seconds", number(seconds(span.length()))}};
}

json histogram_json(const Histogram& histogram) {
  if (histogram.empty()) return nullptr;
  return {{"edges", list(histogram.edges, [](double edge) { return number(edge); })},
          {"counts", histogram.counts}};
}

} // namespace debrief::result::parts
