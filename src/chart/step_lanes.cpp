#include "chart/step_lanes.h"

#include "chart/axis.h"
#include "chart/meaning.h"
#include "chart/svg.h"
#include "chart/time_panel.h"
#include "chart/words.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::chart {

namespace {

constexpr double kStepLanesLeft = 150; ///< room for names of lanes
constexpr double kStepLanesRight = 24; ///< room for half of the last tick's label
constexpr double kStepLanesTop = 4;
constexpr double kRow = 13;
constexpr double kStepLanesBar = 12;
constexpr double kGap = 8;    ///< between lanes
constexpr double kNamed = 34; ///< pixels from which a slice has its name and a tip
constexpr double kTold = 1.5; ///< pixels from which a slice is told apart from its neighbors
constexpr double kStepLanesThinnest = 0.6; ///< pixels of what has no length to speak of
constexpr double kUnderline = 2.5;
constexpr double kWords = 9.5; ///< size of names

/// Slices of one level that lie so close that they are one mark.
struct Run {
  double from = 0;
  double to = -1;
  std::size_t kind = 0;

  bool empty() const { return to < from; }
};

class Drawing {
public:
  explicit Drawing(const StepLanes& step)
      : step_(step)
      , lanes_(std::min(step.lanes.size(), kMaxStepLanes))
      , small_(step.kinds.size())
      , large_(step.kinds.size()) {
    double y = kStepLanesTop;
    for (std::size_t i = 0; i < lanes_; ++i) {
      tops_.push_back(y);
      y += kRow * static_cast<double>(levels(i)) + kGap;
    }
    bottom_ = y - kGap + 2;
    x_ = {0, step.seconds, kStepLanesLeft, panel_width() - kStepLanesRight};
  }

  std::string draw() {
    Svg svg(panel_width(), bottom_ + kTimeAxisHeight, step_.label);
    draw_bottom_axis(svg, x_, duration_ticks(0, step_.seconds, 8), bottom_,
                     bottom_ - kStepLanesTop);
    for (std::size_t i = 0; i < lanes_; ++i)
      svg.text({kStepLanesLeft - 8, tops_[i] + 10},
               fitted(step_.lanes[i].name, kStepLanesLeft - 12), Anchor::end);
    draw_gaps(svg);
    sort_slices();
    for (std::size_t kind = 0; kind < step_.kinds.size(); ++kind) {
      if (small_[kind].empty() && large_[kind].empty()) continue;
      svg.open(std::to_string(kind));
      if (!small_[kind].empty()) svg.fill_path(small_[kind].text(), step_.kinds[kind].color);
      for (const LaneSlice* slice : large_[kind])
        draw_large(svg, *slice);
      svg.close();
    }
    underline(svg);
    if (step_.mark > 0 && step_.mark < step_.seconds)
      svg.line({x_(step_.mark), kStepLanesTop}, {x_(step_.mark), bottom_}, kInk, 1, "3 3");
    return svg.finish();
  }

private:
  std::size_t levels(std::size_t lane) const {
    return std::clamp<std::size_t>(step_.lanes[lane].levels, 1, kMaxLevels);
  }

  double left(const LaneSlice& slice) const { return std::clamp(x_(slice.from), x_.from, x_.to); }

  double right(const LaneSlice& slice) const { return std::clamp(x_(slice.to), x_.from, x_.to); }

  double top(const LaneSlice& slice) const {
    return tops_[slice.lane] + kRow * static_cast<double>(slice.level);
  }

  void flush(Run& run, double y) {
    if (!run.empty())
      small_[run.kind].box(run.from, y, std::max(run.to - run.from, kStepLanesThinnest),
                           kStepLanesBar);
    run = {};
  }

  /// Hatched, with their length where there is room.
  void draw_gaps(Svg& svg) const {
    bool first = true; // of the lanes: the others' gaps are the same
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      if (!step_.lanes[lane].has_gaps) continue;
      for (const LaneGap& gap : step_.gaps) {
        const double from = std::clamp(x_(gap.from), x_.from, x_.to);
        const double width = std::clamp(x_(gap.to), x_.from, x_.to) - from;
        const std::string length = to_human_duration(gap.to - gap.from);
        svg.open_tip(fmt::format("gap: {}", length));
        svg.rect({from, tops_[lane], width, kStepLanesBar}, color_of(Meaning::unmeasured));
        if (first && text_width(length, kWords) + 10 <= width) {
          const double half = text_width(length, kWords) / 2 + 3;
          svg.rect({from + width / 2 - half, tops_[lane], 2 * half, kStepLanesBar}, kPaper);
          svg.text({from + width / 2, tops_[lane] + 9.5}, length, Anchor::middle, kInk, kWords);
        }
        svg.close();
      }
      first = false;
    }
  }

  void sort_slices() {
    std::vector<std::vector<Run>> runs;
    for (std::size_t i = 0; i < lanes_; ++i)
      runs.emplace_back(levels(i));
    for (const LaneSlice& slice : step_.slices) {
      if (slice.lane >= lanes_ || slice.level >= levels(slice.lane)) continue;
      const double from = left(slice);
      const double width = right(slice) - from;
      if (width >= kNamed) {
        large_[slice.kind].push_back(&slice);
        continue;
      }
      Run& run = runs[slice.lane][slice.level];
      const bool joins = !run.empty() && width < kTold && from - run.to < 1 &&
                         (slice.kind == run.kind || width < kStepLanesThinnest);
      if (!joins) {
        flush(run, top(slice));
        run = {from, from, slice.kind};
      }
      run.to = std::max(run.to, from + width);
    }
    for (std::size_t i = 0; i < lanes_; ++i)
      for (std::size_t level = 0; level < runs[i].size(); ++level)
        flush(runs[i][level], tops_[i] + kRow * static_cast<double>(level));
  }

  /// Below slices, so that their colors stay; what is too close on its level is one line.
  void underline(Svg& svg) const {
    Path path;
    std::vector<std::vector<Run>> runs;
    for (std::size_t i = 0; i < lanes_; ++i)
      runs.emplace_back(levels(i));
    const auto end = [&](Run& run, std::size_t lane, std::size_t level) {
      const double y =
          tops_[lane] + kRow * static_cast<double>(level) + kStepLanesBar - kUnderline + 1;
      if (!run.empty()) path.box(run.from, y, std::max(run.to - run.from, kTold), kUnderline);
      run = {};
    };
    for (const LaneSlice& slice : step_.slices) {
      if (!slice.underlined || slice.lane >= lanes_ || slice.level >= levels(slice.lane)) continue;
      Run& run = runs[slice.lane][slice.level];
      if (run.empty() || left(slice) - run.to > kTold) {
        end(run, slice.lane, slice.level);
        run = {left(slice), left(slice), slice.kind};
      }
      run.to = std::max(run.to, right(slice));
    }
    for (std::size_t lane = 0; lane < lanes_; ++lane)
      for (std::size_t level = 0; level < runs[lane].size(); ++level)
        end(runs[lane][level], lane, level);
    if (!path.empty()) svg.fill_path(path.text(), kInk);
  }

  void draw_large(Svg& svg, const LaneSlice& slice) const {
    const SliceLook& look = step_.kinds[slice.kind];
    const double width = right(slice) - left(slice);
    svg.rect({left(slice), top(slice), width - 0.5, kStepLanesBar}, look.color,
             fmt::format("{}\n{}, {} from {}", tip_name(slice.name), look.name,
                         to_human_duration(slice.to - slice.from), to_human_duration(slice.from)));
    svg.text({left(slice) + 3, top(slice) + 9.5}, fitted(slice.name, width - 6, kWords),
             Anchor::start, upon(look.color), kWords);
  }

  const StepLanes& step_;
  std::size_t lanes_;
  std::vector<double> tops_; ///< of lanes
  double bottom_ = 0;
  Scale x_;
  std::vector<Path> small_;                          ///< by kind
  std::vector<std::vector<const LaneSlice*>> large_; ///< by kind
};

} // namespace

std::string step_lanes(const StepLanes& step) {
  return Drawing{step}.draw();
}

} // namespace debrief::chart
