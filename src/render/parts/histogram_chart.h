// Histograms of the result as a drawing, over one another where there are several.
#pragma once

#include "chart/histogram.h"
#include "render/parts/chart.h"
#include "result/histogram.h"

#include <optional>
#include <string>
#include <vector>

namespace debrief::render {

struct HistogramPart {
  std::string name; ///< printable
  const result::Histogram* histogram = nullptr;
  std::optional<double> threshold;
};

struct HistogramWords {
  std::string caption;
  chart::HistogramUnit unit = chart::HistogramUnit::percent;
  std::string noun;       ///< of what is counted: "step"
  bool as_shares = false; ///< in percent of each part's own, so that few and many can be compared
};

/// Nothing where no part has counts. Durations have long tails: where the few longest take
/// more than half of the scale they are left out, and the caption says so.
std::optional<Chart> histogram_chart(HistogramWords words, const std::vector<HistogramPart>& parts);

} // namespace debrief::render
