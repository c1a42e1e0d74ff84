#include "chart/strip.h"

#include "chart/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace debrief::chart {

namespace {

constexpr double kNarrow = 330; ///< pixels of a strip on a phone
constexpr double kWide = 1000;
constexpr double kStripText = 12;
constexpr double kUnits = 100; ///< of the height of a stretched shape

std::string begin_strip(const std::string& label, double height) {
  return fmt::format(R"(<svg class="fluid" width="100%" height="{}" role="img" aria-label="{}" )"
                     R"(font-family="sans-serif" font-size="{}">)",
                     number(height), escaped(label), number(kStripText));
}

/// Shapes in it are stretched: `columns` units wide, `kUnits` high. Whole numbers of them make
/// short paths, and no strip is so high that a unit is a pixel.
std::string begin_stretched(std::size_t columns) {
  return fmt::format(R"(<svg viewBox="0 0 {} {}" preserveAspectRatio="none" width="100%" )"
                     R"(height="100%">)",
                     columns, number(kUnits));
}

std::string filled(const std::string& path, const Color& color, double opacity,
                   const std::string& tip) {
  return fmt::format(R"(<path d="{}" fill="{}"{} class="f {}"><title>{}</title></path>)", path,
                     color.light,
                     opacity < 1 ? fmt::format(R"( fill-opacity="{}")", number(opacity)) : "",
                     color.name, escaped(tip));
}

std::string percent_at(double share) {
  return fmt::format("{}%", number(100 * share));
}

} // namespace

std::string strip_bar(const std::string& label, const std::vector<StripPart>& parts,
                      double height) {
  std::string out = begin_strip(label, height);
  double before = 0;
  for (const StripPart& part : parts) {
    if (!(part.share > 0)) continue;
    fmt::format_to(std::back_inserter(out),
                   R"(<g><title>{}</title><rect x="{}" width="{}" height="100%" fill="{}" )"
                   R"(class="f {}"/>)",
                   escaped(part.name), percent_at(before), percent_at(part.share), part.color.light,
                   part.color.name);
    const double room = text_width(part.words) * kStripText / 11 + 12;
    if (!part.words.empty() && room <= part.share * kWide) {
      const Color ink = upon(part.color);
      fmt::format_to(std::back_inserter(out),
                     R"(<text x="{}" dx="6" y="{}" fill="{}" class="f {}{}">{}</text>)",
                     percent_at(before), number(height / 2 + 4), ink.light, ink.name,
                     room <= part.share * kNarrow ? "" : " wide", escaped(part.words));
    }
    out += "</g>";
    before += part.share;
  }
  return out + "</svg>";
}

std::string ribbon(const std::string& label, const std::vector<RibbonPart>& parts, double height) {
  std::size_t bins = 0;
  for (const RibbonPart& part : parts)
    bins = std::max(bins, part.shares.size());
  std::vector<double> below(bins, 0);
  std::vector<std::string> paths;
  // Each part is filled down to the bottom, and the ones below it are drawn over it.
  for (std::size_t at = 0; at < parts.size(); ++at) {
    Path path;
    path.move(0, kUnits);
    for (std::size_t bin = 0; bin < bins; ++bin) {
      double share = bin < parts[at].shares.size() ? parts[at].shares[bin] : 0;
      if (at == 0 && share > 0) share = std::max(share, 1 / height);
      below[bin] = std::min(1.0, below[bin] + std::max(0.0, share));
      const double y = std::round(kUnits * (1 - below[bin]));
      path.line(static_cast<double>(bin), y);
      path.line(static_cast<double>(bin + 1), y);
    }
    path.line(static_cast<double>(bins), kUnits);
    path.close();
    paths.push_back(filled(path.text(), parts[at].color, 1, parts[at].name));
  }
  std::string out = begin_strip(label, height) + begin_stretched(bins);
  std::reverse(paths.begin(), paths.end()); // the first part is drawn over the others
  for (const std::string& path : paths)
    out += path;
  return out + "</svg></svg>";
}

std::string strip_area(const StripArea& area, double height) {
  const auto y = [&](double value) {
    return std::round(kUnits * (1 - std::clamp(value / area.most, 0.0, 1.0)));
  };
  Path fill;
  Path line;
  Path band;
  const std::size_t count = area.values.size();
  for (std::size_t from = 0; from < count;) {
    if (std::isnan(area.values[from])) {
      ++from;
      continue;
    }
    std::size_t to = from;
    while (to < count && !std::isnan(area.values[to]))
      ++to;
    const auto left = [](std::size_t at) { return static_cast<double>(at); };
    fill.move(left(from), kUnits);
    line.move(left(from), y(area.values[from]));
    for (std::size_t at = from; at < to; ++at) {
      for (const double x : {left(at), left(at + 1)}) {
        fill.line(x, y(area.values[at]));
        line.line(x, y(area.values[at]));
      }
    }
    fill.line(left(to), kUnits);
    fill.close();
    if (area.low.size() == count && area.high.size() == count) {
      band.move(left(from), y(area.high[from]));
      for (std::size_t at = from; at < to; ++at)
        for (const double x : {left(at), left(at + 1)})
          band.line(x, y(area.high[at]));
      for (std::size_t at = to; at-- > from;)
        for (const double x : {left(at + 1), left(at)})
          band.line(x, y(area.low[at]));
      band.close();
    }
    from = to;
  }
  std::string out = begin_strip(area.label, height) + begin_stretched(count);
  if (!band.empty()) out += filled(band.text(), area.color, 0.25, area.label);
  out += filled(fill.text(), area.color, band.empty() ? 0.2 : 0.12, area.label);
  fmt::format_to(std::back_inserter(out),
                 R"(<path d="{}" fill="none" stroke="{}" stroke-width="1" )"
                 R"(vector-effect="non-scaling-stroke" class="l {}"/>)",
                 line.text(), area.color.light, area.color.name);
  return out + "</svg></svg>";
}

std::string strip_axis(const std::vector<Tick>& ticks) {
  constexpr double kHeight = 16;
  std::string out = fmt::format(R"(<svg class="fluid" width="100%" height="{}" aria-hidden="true" )"
                                R"(font-family="sans-serif" font-size="11">)",
                                number(kHeight));
  for (const Tick& tick : ticks) {
    const char* anchor = tick.value < 0.02 ? "start" : tick.value > 0.95 ? "end" : "middle";
    fmt::format_to(std::back_inserter(out),
                   R"(<text x="{}" y="12" text-anchor="{}" fill="{}" class="f {}">{}</text>)",
                   percent_at(tick.value), anchor, kQuiet.light, kQuiet.name, escaped(tick.label));
  }
  return out + "</svg>";
}

} // namespace debrief::chart
