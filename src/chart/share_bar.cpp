#include "chart/share_bar.h"

#include "chart/axis.h"
#include "chart/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace debrief::chart {

namespace {

constexpr double kNames = 170;         // width of the column of names
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
  const std::string share = fmt::format("{:.1f} %", percent);
  const std::string whole = name + ' ' + share;
  if (text_width(whole) <= room) return whole;
  if (const std::string cut = fitted(name, room - text_width(share) - 4); text_width(cut) > 60)
    return cut + ' ' + share;
  return text_width(share) <= room ? share : std::string{};
}

void draw_part(Svg& svg, const ShareKind& kind, const ShareBar& bar, const LaidShare& laid) {
  std::string tip = tip_name(kind.name);
  if (!bar.name.empty()) tip = tip_name(bar.name) + ", " + tip;
  tip += fmt::format(": {:.2f} %", laid.percent);
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
  const double left = named ? kNames : 0;
  const double width = kChartWidth - left - (named ? 18 : 0); // the axis's last label hangs over
  const double bottom =
      static_cast<double>(chart.bars.size()) * kShareBarPitch - (kShareBarPitch - kShareBarHeight);
  Svg svg(kChartWidth, std::max(bottom, kShareBarHeight) + (named ? kShareBarAxis : 0),
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
