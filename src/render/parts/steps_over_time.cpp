#include "render/parts/steps_over_time.h"

#include "chart/time_dots.h"
#include "render/parts/format.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::render {

namespace {

using result::StepTimeline;
using Chosen = std::vector<const StepTimeline*>;

constexpr std::size_t kMaxProcesses = 4;
constexpr std::size_t kMaxOutlying = 200; ///< in one drawing
constexpr std::size_t kStepsOverTimeMaxFigures = 4;

const result::StepRow* row_of(const result::Result& result, const StepTimeline& steps) {
  const auto found =
      std::find_if(result.steps.begin(), result.steps.end(), [&](const result::StepRow& row) {
        return row.process == steps.process && row.mode == steps.mode;
      });
  return found == result.steps.end() ? nullptr : &*found;
}

Microseconds total(const StepTimeline& steps) {
  Microseconds sum = 0;
  for (const result::StepMark& step : steps.steps)
    sum += step.duration;
  return sum;
}

std::map<Microseconds, std::int64_t> numbers_of(const result::StepRow& row) {
  std::map<Microseconds, std::int64_t> numbers;
  for (const result::OutlyingStep& step : row.outlying)
    if (step.start && step.number) numbers.emplace(*step.start, *step.number);
  return numbers;
}

/// Steps above the threshold are outlying, but for the first, which warms up; the longest are
/// noted.
chart::DotSeries series_of(const StepTimeline& steps, const result::StepRow* row, std::string name,
                           std::size_t most_noted) {
  chart::DotSeries out{std::move(name), {}, {}};
  std::vector<const result::StepMark*> outlying;
  const bool known = row != nullptr && row->threshold;
  for (const result::StepMark& step : steps.steps)
    if (known && &step != &steps.steps.front() && in_seconds(step.duration) > *row->threshold)
      outlying.push_back(&step);
    else
      out.usual.push_back({step.start, step.duration});
  std::stable_sort(outlying.begin(), outlying.end(),
                   [](const auto* a, const auto* b) { return a->duration > b->duration; });
  const auto numbers = row == nullptr ? std::map<Microseconds, std::int64_t>{} : numbers_of(*row);
  for (std::size_t at = 0; at < outlying.size(); ++at) {
    const chart::Dot dot{outlying[at]->start, outlying[at]->duration};
    if (at >= most_noted) {
      out.usual.push_back(dot);
      continue;
    }
    const auto number = numbers.find(dot.start);
    out.outlying.push_back(
        {dot,
         fmt::format("{} of {}, {}: {}, from {}",
                     number == numbers.end() ? "Step" : fmt::format("Step {}", number->second),
                     truncate(steps.process), truncate(steps.mode),
                     to_human_duration(in_seconds(dot.duration)), to_readable_time(dot.start))});
  }
  return out;
}

/// What the names of the series must tell apart.
enum class Naming { process, mode, both };

std::string name_of(const StepTimeline& steps, Naming naming) {
  switch (naming) {
  case Naming::process:
    return printable(steps.process);
  case Naming::mode:
    return printable(steps.mode);
  default:
    return fmt::format("{} {}", printable(steps.mode), printable(steps.process));
  }
}

std::string marks_words(const std::vector<chart::DotSeries>& all, double high) {
  const auto some = [&](const auto& test) { return std::any_of(all.begin(), all.end(), test); };
  const auto is_above = [&](const chart::Dot& dot) { return in_seconds(dot.duration) > high; };
  std::string out;
  if (some([](const auto& series) { return series.usual.size() > chart::kMaxDots; }))
    out += all.size() > 1 ? " Lines are means, bars min to max." : " Bars go from min to max.";
  if (some([](const auto& series) { return !series.outlying.empty(); }))
    out += " Triangles are outliers.";
  if (some([&](const auto& series) {
        return std::any_of(series.usual.begin(), series.usual.end(), is_above) ||
               std::any_of(series.outlying.begin(), series.outlying.end(),
                           [&](const auto& noted) { return is_above(noted.dot); });
      }))
    out += " ▲ off scale.";
  return out;
}

Chart chart_of(const result::Result& result, const Chosen& chosen, Naming naming,
               const std::string& caption) {
  std::vector<chart::DotSeries> all;
  for (const StepTimeline* steps : chosen)
    all.push_back(series_of(*steps, row_of(result, *steps), name_of(*steps, naming),
                            kMaxOutlying / chosen.size()));
  const double high = chart::dots_ceiling(all);
  const chart::TimePanel panel{caption, result.timeline.span};
  Chart figure =
      drawn_chart(caption + marks_words(all, high),
                  [&] {
                    return chart::time_dots(panel, {high, chart::duration_ticks(0, high, 4)}, all);
                  },
                  {});
  if (all.size() > 1)
    for (std::size_t at = 0; at < all.size(); ++at)
      figure.legend.push_back({std::to_string(at), truncate(all[at].name), chart::series(at)});
  return figure;
}

/// The first `most` by a measure, in the result's order.
template <typename Measure>
Chosen greatest(Chosen all, std::size_t most, const Measure& measure) {
  const Chosen order = all;
  std::stable_sort(all.begin(), all.end(),
                   [&](const auto* a, const auto* b) { return measure(*a) > measure(*b); });
  all.resize(std::min(all.size(), most));
  Chosen out;
  std::copy_if(order.begin(), order.end(), std::back_inserter(out), [&](const auto* steps) {
    return std::find(all.begin(), all.end(), steps) != all.end();
  });
  return out;
}

double mean_duration(const StepTimeline& steps) {
  return static_cast<double>(total(steps)) / static_cast<double>(steps.steps.size());
}

} // namespace

std::optional<Chart> step_chart(const result::Result& result) {
  Chosen all;
  bool one_process = true;
  bool one_mode = true;
  for (const StepTimeline& steps : result.timeline.steps) {
    all.push_back(&steps);
    one_process = one_process && steps.process == all.front()->process;
    one_mode = one_mode && steps.mode == all.front()->mode;
  }
  if (all.empty()) return std::nullopt;
  const Chosen chosen = greatest(all, kMaxProcesses, total);
  std::string caption = "Step time";
  if (chosen.size() < all.size())
    caption += fmt::format(", {1} of {0} processes and modes", all.size(), chosen.size());
  return chart_of(result, chosen,
                  one_process ? Naming::mode
                  : one_mode  ? Naming::process
                              : Naming::both,
                  caption + ".");
}

void draw_steps(Section& section, const result::Result& result) {
  std::vector<std::string> modes;
  for (const StepTimeline& steps : result.timeline.steps)
    if (std::find(modes.begin(), modes.end(), steps.mode) == modes.end())
      modes.push_back(steps.mode);
  modes.resize(std::min(modes.size(), kStepsOverTimeMaxFigures));
  for (const std::string& mode : modes) {
    Chosen all;
    for (const StepTimeline& steps : result.timeline.steps)
      if (steps.mode == mode) all.push_back(&steps);
    const Chosen chosen = greatest(all, kMaxProcesses, mean_duration);
    std::string caption = fmt::format("{} step time over the job", truncate(mode));
    if (chosen.size() < all.size())
      caption += fmt::format(", {1} slowest of {0} processes", all.size(), chosen.size());
    section.draw(chart_of(result, chosen, Naming::process, caption + "."));
  }
}

} // namespace debrief::render
