#include "chart/histogram.h"

#include "chart/axis.h"
#include "chart/words.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace debrief::chart {

namespace {

constexpr double kHistogramLeft = 48;
constexpr double kHistogramTop = 20; // for the threshold's words
constexpr double kHistogramBottom = 180;
constexpr double kHistogramHeight = 204;
constexpr double kCommonBins = 80;

/// Pixels up to the scale's end: the axis's last label hangs over.
double histogram_right() {
  return chart_width() - 24;
}

/// Outlines differ in more than their color.
constexpr std::array<std::string_view, 4> kDashes = {"", "7 3", "2 2", "8 2 2 2"};

/// "79.1 ms to 79.4 ms": exact where both ends would be the same in three digits.
std::string range_words(double low, double high, HistogramUnit unit) {
  if (unit == HistogramUnit::percent)
    return fmt::format("{}% to {}%", number(std::round(low * 10) / 10),
                       number(std::round(high * 10) / 10));
  if (unit == HistogramUnit::plain)
    return fmt::format("{} to {}", value_text(low), value_text(high));
  const std::string from = to_human_duration(low);
  const std::string to = to_human_duration(high);
  if (from != to) return fmt::format("{} to {}", from, to);
  return fmt::format("{} to {}", exact_duration(low, high - low), exact_duration(high, high - low));
}

std::string counted(double count, const std::string& noun) {
  const double whole = std::round(count);
  return (whole == count ? "" : "about ") + amount(whole, noun);
}

/// The series to be drawn, in bins of one kind; `keys` are their places in the chart.
struct Prepared {
  std::vector<double> edges;
  std::vector<std::vector<double>> counts;
  std::vector<std::size_t> keys;
};

Prepared prepared(const HistogramChart& chart) {
  Prepared out;
  for (std::size_t at = 0; at < chart.series.size(); ++at)
    if (is_drawable(chart.series[at])) out.keys.push_back(at);
  if (out.keys.empty()) return out;
  const auto edges_of = [&](std::size_t key) -> const std::vector<double>& {
    return chart.series[key].edges;
  };
  out.edges = edges_of(out.keys.front());
  const auto same = [&](std::size_t key) { return edges_of(key) == out.edges; };
  if (!std::all_of(out.keys.begin(), out.keys.end(), same)) {
    double low = out.edges.front();
    double high = out.edges.back();
    double widest = 0;
    for (const std::size_t key : out.keys) {
      const std::vector<double>& edges = edges_of(key);
      low = std::min(low, edges.front());
      high = std::max(high, edges.back());
      widest =
          std::max(widest, (edges.back() - edges.front()) / static_cast<double>(edges.size() - 1));
    }
    // Finer than the coarsest series would invent a shape for it.
    const double bins = std::clamp(std::floor((high - low) / widest), 1.0, kCommonBins);
    out.edges = even_edges(low, high, static_cast<std::size_t>(bins));
  }
  for (const std::size_t key : out.keys) {
    const HistogramSeries& series = chart.series[key];
    out.counts.push_back(same(key) ? series.counts
                                   : rebin(out.edges, {series.edges, series.counts}));
  }
  return out;
}

struct Scales {
  Scale x;
  Scale y;
};

Scales scales_of(const HistogramChart& chart, const Prepared& bins) {
  double low = bins.edges.front();
  double high = bins.edges.back();
  double most = 0;
  for (const auto& counts : bins.counts)
    most = std::max(most, *std::max_element(counts.begin(), counts.end()));
  for (const std::size_t key : bins.keys)
    if (const auto threshold = chart.series[key].threshold; threshold && std::isfinite(*threshold))
      high = std::max(high, *threshold);
  return {{low, high, kHistogramLeft, histogram_right()},
          {0, most, kHistogramBottom, kHistogramTop}};
}

std::vector<Tick> bottom_ticks(HistogramUnit unit, const Scale& scale) {
  const std::size_t count = is_for_phone() ? 3 : 6;
  switch (unit) {
  case HistogramUnit::percent:
    return percent_ticks("%");
  case HistogramUnit::seconds:
    return duration_ticks(scale.low, scale.high, count);
  case HistogramUnit::plain:
    break;
  }
  return value_ticks(scale.low, scale.high, count);
}

void draw_bars(Svg& svg, const HistogramChart& chart, const HistogramSeries& series,
               const Prepared& bins, const Scales& scales) {
  for (std::size_t bin = 0; bin < bins.counts.front().size(); ++bin) {
    const double count = bins.counts.front()[bin];
    if (count <= 0) continue;
    const double x = scales.x(bins.edges[bin]);
    const double width = scales.x(bins.edges[bin + 1]) - x;
    const double y = scales.y(count);
    svg.rect({x, y, width > 3 ? width - 1 : width, kHistogramBottom - y}, series.color,
             fmt::format("{}: {}", range_words(bins.edges[bin], bins.edges[bin + 1], chart.unit),
                         counted(count, chart.noun)));
  }
}

void draw_outline(Svg& svg, const HistogramChart& chart, std::size_t index, const Prepared& bins,
                  const Scales& scales) {
  const HistogramSeries& series = chart.series[bins.keys[index]];
  std::string path =
      fmt::format("M{} {}", number(scales.x(bins.edges.front())), number(kHistogramBottom));
  double height = 0;
  for (std::size_t bin = 0; bin < bins.counts[index].size(); ++bin) {
    const double count = bins.counts[index][bin];
    if (count != height) {
      path += fmt::format("H{}V{}", number(scales.x(bins.edges[bin])), number(scales.y(count)));
      height = count;
    }
  }
  path += fmt::format("H{}V{}", number(scales.x(bins.edges.back())), number(kHistogramBottom));
  const double all = std::accumulate(series.counts.begin(), series.counts.end(), 0.0);
  svg.fill_path(path + "z", series.color, bins.keys.size() > 2 ? 0.07 : 0.15,
                fmt::format("{}: {}, middle half {}", tip_name(series.name),
                            counted(all, chart.noun), half_words(series, chart.unit)));
  svg.stroke_path(path, series.color, 1.5, kDashes[index % kDashes.size()]);
}

void draw_threshold(Svg& svg, const HistogramChart& chart, const HistogramSeries& series,
                    const Scales& scales) {
  if (!series.threshold || !std::isfinite(*series.threshold)) return;
  if (*series.threshold < scales.x.low) return;
  const bool alone = chart.series.size() == 1;
  const Color color = alone ? kInk : series.color;
  const double x = scales.x(*series.threshold);
  svg.line({x, alone ? kHistogramTop - 6 : kHistogramTop}, {x, kHistogramBottom}, color, 1.5,
           "4 3");
  if (!alone || chart.threshold_words.empty()) return;
  const bool at_left = x + 6 + text_width(chart.threshold_words) > chart_width();
  svg.text({at_left ? x - 5 : x + 5, kHistogramTop - 7}, chart.threshold_words,
           at_left ? Anchor::end : Anchor::start, color);
}

} // namespace

bool is_drawable(const HistogramSeries& series) {
  return are_drawable(series.edges, series.counts);
}

std::string peak_words(const HistogramSeries& series, HistogramUnit unit) {
  const auto bin = static_cast<std::size_t>(
      std::max_element(series.counts.begin(), series.counts.end()) - series.counts.begin());
  return range_words(series.edges[bin], series.edges[bin + 1], unit);
}

std::string half_words(const HistogramSeries& series, HistogramUnit unit) {
  const double all = std::accumulate(series.counts.begin(), series.counts.end(), 0.0);
  const auto quantile = [&](double share) {
    double before = 0;
    for (std::size_t bin = 0; bin < series.counts.size(); ++bin) {
      const double count = series.counts[bin];
      if (count > 0 && before + count >= share * all)
        return series.edges[bin] +
               (series.edges[bin + 1] - series.edges[bin]) * (share * all - before) / count;
      before += count;
    }
    return series.edges.back();
  };
  return range_words(quantile(0.25), quantile(0.75), unit);
}

std::string draw(const HistogramChart& chart) {
  Svg svg(chart_width(), kHistogramHeight, chart.label);
  const Prepared bins = prepared(chart);
  if (bins.keys.empty()) {
    svg.text({kHistogramLeft, kHistogramBottom / 2}, "nothing to draw");
    return svg.finish();
  }
  const Scales scales = scales_of(chart, bins);
  draw_left_axis(svg, scales.y, count_ticks(scales.y.high, 4), kHistogramLeft,
                 histogram_right() - kHistogramLeft);
  draw_bottom_axis(svg, scales.x, bottom_ticks(chart.unit, scales.x), kHistogramBottom, 0);
  svg.text({kHistogramLeft, kHistogramTop - 7}, chart.noun + "s");
  for (std::size_t at = 0; at < bins.keys.size(); ++at) {
    const HistogramSeries& series = chart.series[bins.keys[at]];
    svg.open(std::to_string(bins.keys[at]));
    if (bins.keys.size() == 1)
      draw_bars(svg, chart, series, bins, scales);
    else
      draw_outline(svg, chart, at, bins, scales);
    draw_threshold(svg, chart, series, scales);
    svg.close();
  }
  svg.line({kHistogramLeft, kHistogramBottom}, {histogram_right(), kHistogramBottom}, kQuiet);
  return svg.finish();
}

bool are_drawable(std::span<const double> edges, std::span<const double> counts) {
  if (counts.empty() || edges.size() != counts.size() + 1) return false;
  const auto finite = [](double value) { return std::isfinite(value); };
  const auto not_rising = [](double a, double b) { return !(a < b); };
  const auto counted = [](double value) { return std::isfinite(value) && value >= 0; };
  return std::all_of(edges.begin(), edges.end(), finite) &&
         std::adjacent_find(edges.begin(), edges.end(), not_rising) == edges.end() &&
         std::all_of(counts.begin(), counts.end(), counted) &&
         *std::max_element(counts.begin(), counts.end()) > 0;
}

std::vector<double> even_edges(double low, double high, std::size_t count) {
  std::vector<double> edges(count + 1);
  for (std::size_t at = 0; at < count; ++at)
    edges[at] = low + (high - low) * static_cast<double>(at) / static_cast<double>(count);
  edges[count] = high;
  return edges;
}

std::vector<double> rebin(std::span<const double> edges, const Bins& bins) {
  std::vector<double> out(edges.size() - 1);
  std::size_t into = 0;
  for (std::size_t from = 0; from < bins.counts.size(); ++from) {
    const double low = bins.edges[from];
    const double high = bins.edges[from + 1];
    while (into > 0 && edges[into] > low)
      --into;
    while (into + 1 < out.size() && edges[into + 1] <= low)
      ++into;
    for (std::size_t at = into; at < out.size() && edges[at] < high; ++at) {
      const double shared = std::min(high, edges[at + 1]) - std::max(low, edges[at]);
      if (shared > 0) out[at] += bins.counts[from] * shared / (high - low);
    }
  }
  return out;
}

} // namespace debrief::chart
