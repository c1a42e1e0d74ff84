#include "render/parts/histogram_chart.h"

#include "render/parts/format.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace debrief::render {

namespace {

/// How many of so many may be left out: a hundredth, of few values up to three.
double tail_of(double all) {
  return std::max(0.01 * all, std::min(3.0, 0.05 * all));
}

/// Bars of so few values have heights of 1 and 2: the table says more.
constexpr double kFewestValues = 30;

/// Fewer bins than this say nothing.
constexpr std::size_t kMinBins = 8;

/// What is beyond a drawing's scale.
struct LeftOut {
  double count = 0;
  double longest = 0;
};

/// Takes the tail off the series where that doubles the room of the rest.
LeftOut cut_tail(chart::HistogramSeries& series) {
  const double all = std::accumulate(series.counts.begin(), series.counts.end(), 0.0);
  std::size_t kept = series.counts.size();
  double beyond = 0;
  while (kept > kMinBins && beyond + series.counts[kept - 1] <= tail_of(all))
    beyond += series.counts[--kept];
  if (2 * kept > series.counts.size()) return {};
  const LeftOut out{beyond, series.edges.back()};
  series.counts.resize(kept);
  series.edges.resize(kept + 1);
  return out;
}

/// Values that are all the same have numpy's bins, half a unit to each side: half a second, and
/// durations below 0. They get bins around the value, a tenth of it to each side. A file of others
/// can say that the duration itself is below 0: it is drawn as it says.
void narrow_single(chart::HistogramSeries& series) {
  const auto filled = [](double count) { return count > 0; };
  if (std::count_if(series.counts.begin(), series.counts.end(), filled) != 1 ||
      std::abs(series.edges.back() - series.edges.front() - 1) > 1e-9)
    return;
  constexpr std::size_t kBins = 20;
  const double value = (series.edges.back() + series.edges.front()) / 2;
  if (value < 0) return;
  const double reach = value > 0 ? value / 10 : 1e-6;
  const double low = std::max(0.0, value - reach);
  const double count = *std::find_if(series.counts.begin(), series.counts.end(), filled);
  series.edges.clear();
  for (std::size_t at = 0; at <= kBins; ++at)
    series.edges.push_back(low + (value + reach - low) * static_cast<double>(at) / kBins);
  const auto above = std::upper_bound(series.edges.begin(), series.edges.end(), value);
  series.counts.assign(kBins, 0);
  series.counts[static_cast<std::size_t>(above - series.edges.begin()) - 1] = count;
}

void to_shares(std::vector<double>& counts) {
  const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
  for (double& count : counts)
    count *= 100 / all;
}

std::string left_out_words(const LeftOut& left_out, const std::string& noun) {
  const auto count = static_cast<std::int64_t>(left_out.count);
  return fmt::format("; off scale: {}, up to {}", plural(count, noun),
                     to_human_duration(left_out.longest));
}

} // namespace

std::optional<Chart> histogram_chart(HistogramWords words,
                                     const std::vector<HistogramPart>& parts) {
  chart::HistogramChart chart;
  chart.unit = words.unit;
  chart.noun = words.as_shares ? "% of " + words.noun : words.noun;
  LeftOut left_out;
  double values = 0; // of the largest series
  for (const HistogramPart& part : parts) {
    chart::HistogramSeries series{part.name,
                                  chart::series(chart.series.size()),
                                  part.histogram->edges,
                                  {part.histogram->counts.begin(), part.histogram->counts.end()},
                                  part.threshold};
    if (!is_drawable(series)) continue;
    values = std::max(values, std::accumulate(series.counts.begin(), series.counts.end(), 0.0));
    if (words.unit == chart::HistogramUnit::seconds) narrow_single(series);
    if (words.unit == chart::HistogramUnit::seconds && !part.threshold) {
      const LeftOut tail = cut_tail(series);
      left_out = {left_out.count + tail.count, std::max(left_out.longest, tail.longest)};
    }
    if (words.as_shares) to_shares(series.counts);
    chart.series.push_back(std::move(series));
  }
  if (chart.series.empty() || values < kFewestValues) return std::nullopt;
  if (left_out.count > 0) words.caption += left_out_words(left_out, words.noun);
  if (chart.series.size() == 1 && chart.series.front().threshold)
    chart.threshold_words = "outliers above " + to_human_duration(*chart.series.front().threshold);
  chart.label = words.caption;
  std::vector<LegendEntry> legend;
  for (std::size_t key = 0; key < chart.series.size(); ++key) {
    const chart::HistogramSeries& series = chart.series[key];
    std::string entry =
        fmt::format("{}: middle half {}", truncate(series.name), half_words(series, words.unit));
    if (series.threshold) entry += ", outliers above " + to_human_duration(*series.threshold);
    chart.label += (key == 0 ? ". " : "; ") + entry;
    legend.push_back({std::to_string(key), std::move(entry), series.color});
  }
  return drawn_chart(
      std::move(words.caption), [&] { return draw(chart); }, std::move(legend));
}

} // namespace debrief::render
