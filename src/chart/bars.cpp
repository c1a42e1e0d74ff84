#include "chart/bars.h"

#include "chart/axis.h"
#include "chart/words.h"
#include "util/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

namespace debrief::chart {

namespace {

constexpr double kValueBarsWords = 110; // behind the scale
constexpr double kValueBarsPitch = 20;  // from one bar to the next
constexpr double kValueBarsBar = 13;    // height of a bar

double drawable_bar(double value) {
  return std::isfinite(value) ? std::max(value, 0.0) : 0;
}

} // namespace

std::string draw(const ValueBars& chart) {
  double most = 0;
  std::size_t kinds = 0;
  for (const ValueBar& row : chart.rows) {
    most = std::max(most, drawable_bar(row.percent));
    kinds = std::max(kinds, row.kind + 1);
  }
  Svg svg(chart_width(), kValueBarsPitch * static_cast<double>(chart.rows.size()), chart.label);
  const double left = by_width(330, 130); // names are before it
  const Scale scale{0, most > 0 ? most : 1, left, chart_width() - kValueBarsWords};
  for (std::size_t kind = 0; kind < kinds; ++kind) {
    svg.open(std::to_string(kind));
    for (std::size_t at = 0; at < chart.rows.size(); ++at) {
      const ValueBar& row = chart.rows[at];
      if (row.kind != kind) continue;
      const double top = kValueBarsPitch * static_cast<double>(at) + 3;
      const double width = scale(drawable_bar(row.percent)) - left;
      svg.open_tip(fmt::format("{}: {}", tip_name(row.name), row.words));
      svg.text({left - 8, top + 10}, fitted(row.name, left - 12), Anchor::end, kInk);
      svg.rect({left, top, std::max(width, 0.5), kValueBarsBar}, row.color);
      svg.text({left + width + 5, top + 10}, row.words);
      svg.close();
    }
    svg.close();
  }
  return svg.finish();
}

namespace {

constexpr double kPairedBarsValues = 70; // behind the bars
constexpr double kPairedBarsHead = 22;   // height of a group's name
constexpr double kPairedBarsPitch = 32;  // from one pair to the next
constexpr double kPairedBarsBar = 12;    // height of a bar
constexpr double kPairedBarsAxis = 22;   // height of the axis below

double drawable(double value) {
  return std::isfinite(value) ? std::max(value, 0.0) : 0;
}

/// The end of the scale: 100, unless there is more, or all is far below it.
double end_of(const PairedChart& chart) {
  double most = 0;
  for (const PairedGroup& group : chart.groups)
    for (const PairedRow& row : group.rows)
      most = std::max({most, drawable(row.first), drawable(row.second.value_or(0))});
  return nice_ceiling(most);
}

/// One pair with its top, so that bars of a kind can be drawn together.
struct Laid {
  const PairedRow* row = nullptr;
  double top = 0;
};

std::string paired_text(const PairedChart& chart, double value) {
  return chart.at_once ? fmt::format("{:.2f}", value / 100) : exact_percent_text(value);
}

void draw_bar(Svg& svg, const Scale& scale, const std::string& words, double value, double top,
              const Color& color, const std::string& tip) {
  const double width = scale(drawable(value)) - scale.from;
  svg.rect({scale.from, top, width, kPairedBarsBar}, color, tip);
  svg.text({scale.from + width + 5, top + 10}, words);
}

std::vector<Tick> ticks_of(const PairedChart& chart, double end) {
  std::vector<Tick> out;
  for (const double value : nice_values(0, end, 5))
    out.push_back({value, number(chart.at_once ? value / 100 : value)});
  if (!chart.at_once) out.back().label += "%";
  return out;
}

} // namespace

std::string draw(const PairedChart& chart) {
  double bottom = 0;
  for (const PairedGroup& group : chart.groups)
    bottom += kPairedBarsHead + kPairedBarsPitch * static_cast<double>(group.rows.size());
  Svg svg(chart_width(), bottom + kPairedBarsAxis, chart.label);
  const double left = by_width(230, 120);
  const Scale scale{0, end_of(chart), left, chart_width() - kPairedBarsValues};
  draw_bottom_axis(svg, scale, ticks_of(chart, scale.high), bottom, bottom);
  std::vector<Laid> laid;
  double top = 0;
  for (const PairedGroup& group : chart.groups) {
    svg.text({0, top + 15}, fitted(group.name, left - 12), Anchor::start, kQuiet, 12);
    top += kPairedBarsHead;
    for (const PairedRow& row : group.rows) {
      svg.open_tip(tip_name(row.name));
      svg.text({left - 8, top + 16}, fitted(row.name, left - 12), Anchor::end, kInk);
      svg.close();
      laid.push_back({&row, top});
      top += kPairedBarsPitch;
    }
  }
  svg.open("0");
  for (const Laid& pair : laid)
    draw_bar(svg, scale, paired_text(chart, pair.row->first), pair.row->first, pair.top,
             kFirstOfPair,
             fmt::format("{}, {}: {}", tip_name(pair.row->name), chart.first,
                         paired_text(chart, pair.row->first)));
  svg.close();
  svg.open("1");
  for (const Laid& pair : laid)
    if (const auto& second = pair.row->second)
      draw_bar(svg, scale, paired_text(chart, *second), *second, pair.top + kPairedBarsBar,
               kSecondOfPair,
               fmt::format("{}, {}: {}", tip_name(pair.row->name), chart.second,
                           paired_text(chart, *second)));
    else
      svg.text({left + 5, pair.top + kPairedBarsBar + 10}, "not recorded");
  svg.close();
  return svg.finish();
}

namespace {

constexpr double kChangeBarsPitch = 20; // from one bar to the next
constexpr double kChangeBarsBar = 13;   // height of a bar
constexpr double kChangeBarsAxis = 20;  // height of the ticks' labels
constexpr double kMaxValue = 100;       // factor at which the scale ends at the latest

/// The logarithm of the factor, within the scale.
double logarithm(const ChangeBar& row) {
  const double limit = std::log(kMaxValue);
  if (row.before <= 0 && row.after <= 0) return 0;
  if (row.before <= 0) return limit;
  if (row.after <= 0) return -limit;
  return std::clamp(std::log(row.after / row.before), -limit, limit);
}

std::vector<Tick> ticks_within(double reach) {
  std::vector<Tick> ticks = {{0, "same"}};
  // Few enough that labels never touch.
  const std::array<double, 3> factors = {reach < std::log(6) ? 1.5 : 3.0,
                                         reach < std::log(6) ? 3.0 : 10.0, 100.0};
  for (const double factor : factors) {
    const double at = std::log(factor);
    if (at > reach * 1.0001) break;
    ticks.push_back({at, fmt::format("× {:.3g}", factor)});
    ticks.push_back({-at, fmt::format("÷ {:.3g}", factor)});
  }
  return ticks;
}

} // namespace

Color color_of(ChangeKind kind) {
  switch (kind) {
  case ChangeKind::worse:
    return kAlarm;
  case ChangeKind::improved:
    return series(0);
  case ChangeKind::other:
    break;
  }
  return kRest;
}

std::string draw(const ChangeBars& chart) {
  double reach = std::log(1.5);
  for (const ChangeBar& row : chart.rows)
    reach = std::max(reach, std::abs(logarithm(row)));
  const double bottom = kChangeBarsPitch * static_cast<double>(chart.rows.size());
  Svg svg(chart_width(), bottom + kChangeBarsAxis, chart.label);
  const double left = by_width(250, 130);  // names are before it
  const double right = chart_width() - 30; // half a label is behind it
  const Scale scale{-reach, reach, left, right};
  draw_bottom_axis(svg, scale, ticks_within(reach), bottom, bottom);
  for (const ChangeKind kind : {ChangeKind::worse, ChangeKind::improved, ChangeKind::other}) {
    svg.open(std::to_string(static_cast<int>(kind)));
    for (std::size_t at = 0; at < chart.rows.size(); ++at) {
      const ChangeBar& row = chart.rows[at];
      if (row.kind != kind) continue;
      const double top = kChangeBarsPitch * static_cast<double>(at) + 3;
      const double middle = scale(0);
      const double end = scale(logarithm(row));
      svg.open_tip(fmt::format("{}: {}", tip_name(row.name), row.words));
      svg.text({left - 8, top + 10}, fitted(row.name, left - 12), Anchor::end, kInk);
      svg.rect({std::min(middle, end), top, std::max(std::abs(end - middle), 0.5), kChangeBarsBar},
               color_of(kind));
      // Beyond the middle's other side, where there is room whatever the bar's length.
      svg.text({end >= middle ? middle - 5 : middle + 5, top + 10},
               fitted(row.words, (right - left) / 2 - 8),
               end >= middle ? Anchor::end : Anchor::start);
      svg.close();
    }
    svg.close();
  }
  return svg.finish();
}

namespace {

constexpr double kShareBarHeight = 22; // of a bar
constexpr double kShareBarPitch = 27;  // from one bar to the next
constexpr double kShareBarAxis = 22;   // height of the axis below
constexpr double kPadding = 8;         // of words in a part, both sides together

/// A part where it lies.
struct LaidShare {
  Box box;
  double percent = 0;
  const SharePart* part = nullptr;
};

bool counts(const SharePart& part) {
  return std::isfinite(part.value) && part.value > 0;
}

std::vector<LaidShare> laid_out(const ShareBar& bar, double left, double top, double width) {
  double whole = 0;
  for (const SharePart& part : bar.parts)
    if (counts(part)) whole += part.value;
  std::vector<LaidShare> out;
  double before = 0;
  for (const SharePart& part : bar.parts) {
    if (!counts(part)) continue;
    const double share = part.value / whole;
    out.push_back(
        {{left + before * width, top, share * width, kShareBarHeight}, 100 * share, &part});
    before += share;
  }
  return out;
}

/// Name and share, the share alone, or nothing: what fits.
std::string inside_words(const std::string& name, double percent, double width) {
  const double room = width - kPadding;
  const std::string share = exact_percent_text(percent);
  std::string whole = name + ' ' + share;
  if (text_width(whole) <= room) return whole;
  if (const std::string cut = fitted(name, room - text_width(share) - 4); text_width(cut) > 60)
    return cut + ' ' + share;
  return text_width(share) <= room ? share : std::string{};
}

void draw_part(Svg& svg, const ShareKind& kind, const ShareBar& bar, const LaidShare& laid) {
  std::string tip = tip_name(kind.name);
  if (!bar.name.empty()) tip = tip_name(bar.name) + ", " + tip;
  tip += fmt::format(": {}", exact_percent_text(laid.percent));
  if (!laid.part->words.empty()) tip += ", " + laid.part->words;
  svg.open_tip(tip);
  svg.rect(laid.box, kind.color);
  if (const std::string words = inside_words(kind.name, laid.percent, laid.box.width);
      !words.empty())
    svg.text({laid.box.x + laid.box.width / 2, laid.box.y + 15}, words, Anchor::middle,
             upon(kind.color));
  svg.close();
  // A gap tells neighbors apart where their colors do not.
  if (laid.box.width > 3)
    svg.rect({laid.box.x + laid.box.width - 1, laid.box.y, 1, kShareBarHeight}, kPaper);
}

} // namespace

std::string draw(const ShareChart& chart) {
  const bool named = std::any_of(chart.bars.begin(), chart.bars.end(),
                                 [](const ShareBar& bar) { return !bar.name.empty(); });
  const double left = named ? by_width(170, 96) : 0;            // names are before it
  const double width = chart_width() - left - (named ? 18 : 0); // the axis's last label hangs over
  const double bottom =
      static_cast<double>(chart.bars.size()) * kShareBarPitch - (kShareBarPitch - kShareBarHeight);
  Svg svg(chart_width(), std::max(bottom, kShareBarHeight) + (named ? kShareBarAxis : 0),
          chart.label);
  if (named)
    draw_bottom_axis(svg, {0, 100, left, left + width}, percent_ticks("%"), bottom + 3, bottom + 3);
  std::vector<std::vector<LaidShare>> bars;
  for (std::size_t at = 0; at < chart.bars.size(); ++at) {
    const ShareBar& bar = chart.bars[at];
    const double top = static_cast<double>(at) * kShareBarPitch;
    bars.push_back(laid_out(bar, left, top, width));
    if (bars.back().empty())
      svg.rect({left, top, width, kShareBarHeight}, kGrid, tip_name(bar.name) + ": nothing");
    if (!named) continue;
    svg.open_tip(tip_name(bar.name));
    svg.text({left - 8, top + 15}, fitted(bar.name, left - 12), Anchor::end, kInk);
    svg.close();
  }
  for (std::size_t kind = 0; kind < chart.kinds.size(); ++kind) {
    svg.open(std::to_string(kind));
    for (std::size_t at = 0; at < bars.size(); ++at)
      for (const LaidShare& laid : bars[at])
        if (laid.part->kind == kind) draw_part(svg, chart.kinds[kind], chart.bars[at], laid);
    svg.close();
  }
  return svg.finish();
}

} // namespace debrief::chart
