// How long steps took, and which of them stray.
#include "render/parts/cells.h"
#include "render/parts/format.h"
#include "render/parts/histogram_chart.h"
#include "render/parts/iteration_split.h"
#include "render/parts/rule_words.h"
#include "render/parts/section.h"
#include "render/parts/steps_over_time.h"
#include "render/parts/trace_words.h"
#include "render/sections/sections.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace debrief::render {

namespace {

constexpr std::size_t kMaxModes = 3;

using Rows = std::vector<const result::StepRow*>;

std::vector<std::pair<std::string, Rows>> by_mode(const std::vector<result::StepRow>& steps) {
  std::vector<std::pair<std::string, Rows>> out;
  for (const result::StepRow& row : steps) {
    if (row.histogram.empty()) continue;
    const auto found = std::find_if(out.begin(), out.end(),
                                    [&](const auto& mode) { return mode.first == row.mode; });
    if (found == out.end())
      out.push_back({row.mode, {&row}});
    else
      found->second.push_back(&row);
  }
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return a.second.size() > b.second.size(); });
  if (out.size() > kMaxModes) out.resize(kMaxModes);
  return out;
}

/// The fastest and the slowest by their means, fastest first.
Rows ends_of(Rows rows) {
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto* a, const auto* b) { return a->mean < b->mean; });
  const auto half = static_cast<std::ptrdiff_t>(chart::kSeries / 2);
  rows.erase(rows.begin() + half, rows.end() - half);
  return rows;
}

std::string caption_of(const std::string& mode, const Rows& drawn, std::size_t of) {
  std::string out = fmt::format("{} step time", truncate(mode));
  if (drawn.size() < of)
    out += fmt::format(", {} fastest and {} slowest of {} processes", drawn.size() / 2,
                       drawn.size() / 2, grouped(static_cast<std::int64_t>(of)));
  std::int64_t outliers = 0;
  bool limited = false;
  for (const result::StepRow* row : drawn) {
    outliers += row->outliers.value_or(0);
    limited = limited || row->threshold;
  }
  const char* lines = drawn.size() == 1 ? "line" : "lines";
  if (limited)
    out += outliers > 0
               ? fmt::format("; {} beyond the dashed {} {} off scale", plural(outliers, "outlier"),
                             lines, outliers == 1 ? "is" : "are")
               : fmt::format("; none beyond the dashed {}", lines);
  return out;
}

std::vector<Chart> step_charts(const std::vector<result::StepRow>& steps) {
  std::vector<Chart> out;
  for (const auto& [mode, rows] : by_mode(steps)) {
    const Rows drawn = rows.size() > chart::kSeries ? ends_of(rows) : rows;
    std::vector<HistogramPart> parts;
    for (const result::StepRow* row : drawn)
      parts.push_back({printable(row->process), &row->histogram, row->threshold});
    if (auto figure = histogram_chart(
            {caption_of(mode, drawn, rows.size()), chart::HistogramUnit::seconds, "step"}, parts))
      out.push_back(std::move(*figure));
  }
  return out;
}

using Steps = std::vector<result::StepRow>;

std::string outlier_words(const result::StepRow& row) {
  if (!row.outliers) return "";
  std::string out =
      fmt::format("; {}", *row.outliers == 0   ? "no outliers"
                          : *row.outliers == 1 ? "1 outlier"
                                               : grouped(*row.outliers) + " outliers");
  if (row.threshold) out += fmt::format(" (longer than {})", to_human_duration(*row.threshold));
  if (row.threshold && row.first && *row.first > *row.threshold)
    out += fmt::format("; the first step ({}) is warmup and not counted",
                       to_human_duration(*row.first));
  return out;
}

/// Average and outliers of one mode; of several processes, the fastest and the slowest.
std::string mode_sentence(const std::string& mode, const Steps& steps) {
  std::vector<const result::StepRow*> rows;
  std::int64_t outliers = 0;
  bool outliers_known = true;
  for (const result::StepRow& row : steps) {
    if (row.mode != mode) continue;
    rows.push_back(&row);
    outliers += row.outliers.value_or(0);
    outliers_known = outliers_known && row.outliers;
  }
  const auto [fastest, slowest] = std::minmax_element(
      rows.begin(), rows.end(), [](const auto* a, const auto* b) { return a->mean < b->mean; });
  const result::StepRow& first = **fastest;
  if (rows.size() == 1)
    return fmt::format("{} ran {}: mean {}, median {}, max {}{}.", printable(first.process),
                       plural(first.count, printable(mode) + " step"),
                       to_human_duration(first.mean), to_human_duration(first.p50),
                       to_human_duration(first.max), outlier_words(first));
  std::string out =
      fmt::format("Mean {} step time across {} processes: {} ({}) to {} ({})", printable(mode),
                  rows.size(), to_human_duration(first.mean), printable(first.process),
                  to_human_duration((*slowest)->mean), printable((*slowest)->process));
  if (outliers_known) out += fmt::format("; {} outliers", grouped(outliers));
  return out + '.';
}

std::vector<std::string> modes_of(const Steps& steps) {
  std::vector<std::string> modes;
  for (const result::StepRow& row : steps)
    if (std::find(modes.begin(), modes.end(), row.mode) == modes.end()) modes.push_back(row.mode);
  return modes;
}

Table durations_table(const Steps& steps, bool both_sources) {
  Table table("Step time by process and mode", {{"Process", Kind::head, "process"},
                                                {"Mode", Kind::text, "mode"},
                                                {"Source"},
                                                {"Steps", Kind::number, "count"},
                                                {"Total", Kind::number, "total"},
                                                {"Min", Kind::number, "min"},
                                                {"p50", Kind::number, "p50"},
                                                {"Mean", Kind::number, "mean"},
                                                {"p95", Kind::number, "p95"},
                                                {"p99", Kind::number, "p99"},
                                                {"Max", Kind::number, "max"}});
  for (const result::StepRow& row : steps)
    table.add({printable(row.process), printable(row.mode),
               both_sources ? name_or_unknown(row.source) : std::string{kUnknown},
               count_cell(row.count), duration_cell(row.total), duration_cell(row.min),
               duration_cell(row.p50), duration_cell(row.mean), duration_cell(row.p95),
               duration_cell(row.p99), duration_cell(row.max)});
  return table.drop_unknown();
}

Table outliers_table(const Steps& steps) {
  Table table("Variation by process and mode", {{"Process", Kind::head},
                                                {"Mode"},
                                                {"First step", Kind::number},
                                                {"Standard deviation", Kind::number},
                                                {"Outlier above", Kind::number},
                                                {"Outliers", Kind::number}});
  for (const result::StepRow& row : steps)
    table.add({printable(row.process), printable(row.mode), duration_cell(row.first),
               duration_cell(row.stddev), duration_cell(row.threshold), count_cell(row.outliers)});
  return table.drop_unknown();
}

/// All outlying steps, longest first.
Table outlying_table(const Steps& steps) {
  std::vector<std::pair<const result::StepRow*, const result::OutlyingStep*>> outlying;
  for (const result::StepRow& row : steps)
    for (const result::OutlyingStep& step : row.outlying)
      outlying.emplace_back(&row, &step);
  std::stable_sort(outlying.begin(), outlying.end(), [](const auto& a, const auto& b) {
    return a.second->seconds > b.second->seconds;
  });
  const bool timed = !outlying.empty() && outlying.front().second->seconds;
  Table table(timed ? "Outliers, longest first" : "Outliers by step number",
              {{"Process", Kind::head},
               {"Mode"},
               {"Step", Kind::number},
               {"Start", Kind::time},
               {"Duration", Kind::number}});
  for (const auto& [row, step] : outlying)
    table.add({printable(row->process), printable(row->mode), count_cell(step->number),
               step->start ? to_iso8601(*step->start) : std::string{kUnknown},
               duration_cell(step->seconds)});
  return table.drop_unknown();
}

bool is_cut(const result::StepRow& row) {
  return row.outliers.value_or(0) > static_cast<std::int64_t>(row.outlying.size());
}

std::optional<Section> make_steps(const result::Result& result) {
  if (result.steps.empty())
    return missing("No steps were recorded. Run with 'debrief record', or turn on SageMaker's "
                   "framework metrics (smdebug's hook).");
  const result::RuleRow* rule = find_rule(result, "StepOutlier");
  Section section;
  for (const std::string& mode : modes_of(result.steps))
    section.say(mode_sentence(mode, result.steps));
  section.say(outcome_sentence(rule));
  if (rule != nullptr && rule->recorded_by_sagemaker)
    section.note("These numbers are SageMaker's own (StepOutlier.json). It counts steps across a "
                 "minute's boundary twice, and keeps only the last of several modes.");
  std::optional<Chart> iterations = iteration_split(result);
  const bool over_time = iterations.has_value(); // the timeline has each step
  section.draw(std::move(iterations));
  for (const Chart& figure : step_charts(result.steps))
    section.draw(figure);
  section.show(durations_table(result.steps, has_both_sources(result)), kRowsShown, "rows");
  section.show(outliers_table(result.steps), kRowsShown, "rows");
  if (!over_time) draw_steps(section, result);
  if (const Table table = outlying_table(result.steps); table.size() > 0) {
    section.show(table, 10, "steps");
    if (std::any_of(result.steps.begin(), result.steps.end(), is_cut))
      section.note("The table lists the longest outliers of each process and mode.");
  }
  if (rule != nullptr) show_activity(section, rule->activity, "outliers");
  return section;
}

} // namespace

const SectionSpec kStepsSection = {
    .id = "steps",
    .heading = "Step time",
    .chapter = Chapter::training,
    .rule = "StepOutlier",
    .how_to_read = "A narrow histogram is a steady job. A second peak means two kinds of steps; a "
                   "long right tail means stalls. Outliers are listed and marked. What ran more "
                   "during them than otherwise is often the cause.",
    .how_computed = "Over all steps of a process and mode. An outlier is longer than mean + factor "
                    "× standard deviation of the steps after the first. The factor is "
                    "StepOutlier's stddev (3 by default); 100 steps or fewer have no outliers. "
                    "“During” and “otherwise” are shares of the wall time in which such work ran.",
    .make = make_steps,
};

} // namespace debrief::render
