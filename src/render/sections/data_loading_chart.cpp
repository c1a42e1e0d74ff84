#include "render/sections/data_loading_chart.h"

#include "render/parts/histogram_chart.h"
#include "util/text.h"

#include <algorithm>

namespace debrief::render {

namespace {

/// Medians further apart than this are not drawn on one scale, nor are much coarser bins.
constexpr double kComparable = 5;

double bin_width(const result::Histogram& histogram) {
  if (histogram.empty()) return 0;
  return (histogram.edges.back() - histogram.edges.front()) /
         static_cast<double>(histogram.counts.size());
}

} // namespace

const result::LoadTimes* telling_times(const std::vector<result::LoadTimes>& times) {
  const auto next = std::find_if(times.begin(), times.end(),
                                 [](const auto& row) { return row.what == "get next"; });
  if (next != times.end()) return &*next;
  return times.empty() ? nullptr : &times.front();
}

std::optional<Figure> loading_figure(const std::vector<result::LoadTimes>& times) {
  const result::LoadTimes* told = telling_times(times);
  if (told == nullptr) return std::nullopt;
  std::vector<HistogramPart> parts = {{printable(told->what), &told->histogram, std::nullopt}};
  for (const result::LoadTimes& row : times) {
    const double width = bin_width(row.histogram);
    const bool comparable = row.p50 <= told->p50 * kComparable &&
                            told->p50 <= row.p50 * kComparable &&
                            width <= bin_width(told->histogram) * kComparable;
    if (&row != told && comparable && parts.size() < chart::kSeries)
      parts.push_back({printable(row.what), &row.histogram, std::nullopt});
  }
  return histogram_figure({"Load times", chart::HistogramUnit::seconds, "time"}, parts);
}

} // namespace debrief::render
