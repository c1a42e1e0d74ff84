// Where the time of profiled steps went, by step and by process. Without traces it says how to
// record them.
#include "chart/stacked.h"
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/parts/share_chart.h"
#include "render/parts/trace_words.h"
#include "render/sections/sections.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace debrief::render {

namespace {

using result::ProcessBreakdown;
using result::StepBreakdown;
using result::StepPart;

constexpr std::size_t kMaxSteps = 1000; // in the table; a schedule profiles a few

std::string step_name(const StepBreakdown& step) {
  return step.number ? fmt::format("step {}", *step.number) : "whole trace";
}

/// The greatest part over all processes, and how busy their GPUs are.
std::string parts_sentence(const result::Traces& traces) {
  std::vector<StepPart> sums;
  std::int64_t steps = 0;
  double all = 0;
  double busy = 0;
  for (const ProcessBreakdown& process : traces.processes) {
    sums.resize(std::max(sums.size(), process.parts.size()));
    for (std::size_t at = 0; at < process.parts.size(); ++at) {
      sums[at].part = process.parts[at].part;
      sums[at].us += process.parts[at].us;
    }
    steps += process.steps;
    all += process.us;
    busy += process.gpu_busy_us;
  }
  const auto greatest = std::max_element(sums.begin(), sums.end(),
                                         [](const auto& a, const auto& b) { return a.us < b.us; });
  if (greatest == sums.end() || all <= 0) return "";
  const std::string what = steps > 0 ? plural(steps, "profiled step") : "the whole trace";
  const std::string whose =
      traces.processes.size() > 1
          ? fmt::format(" of {} processes", grouped(std::ssize(traces.processes)))
          : "";
  return fmt::format("The largest part of {}{} is {}: {} ({} of {}). {}", what, whose,
                     greatest->part == "kernel" ? "kernels" : printable(greatest->part),
                     share_text(greatest->us, all), micros(greatest->us), micros(all),
                     traces.gpus.empty()
                         ? "No GPU work was recorded."
                         : fmt::format("GPUs are busy {} of the time.", share_text(busy, all)));
}

std::string spread_sentence(const std::vector<StepBreakdown>& steps) {
  std::vector<const StepBreakdown*> numbered;
  for (const StepBreakdown& step : steps)
    if (step.number) numbered.push_back(&step);
  if (numbered.size() < 2) return "";
  std::stable_sort(numbered.begin(), numbered.end(),
                   [](const auto* a, const auto* b) { return a->us < b->us; });
  const StepBreakdown& longest = *numbered.back();
  const double median =
      (numbered[(numbered.size() - 1) / 2]->us + numbered[numbered.size() / 2]->us) / 2;
  return fmt::format(
      "Steps take {} to {} (median {}). The longest is {} of {}, {:.2f} times the median.",
      micros(numbered.front()->us), micros(longest.us), micros(median), step_name(longest),
      truncate(longest.process), median > 0 ? longest.us / median : 1.0);
}

std::optional<Chart> process_chart(const std::vector<ProcessBreakdown>& processes) {
  std::vector<Share> shares;
  for (const ProcessBreakdown& process : processes)
    for (const StepPart& part : process.parts)
      shares.push_back(
          {processes.size() > 1 ? process.process : "", part.part, part.us, micros(part.us)});
  return share_chart("Profiled time by part", shares);
}

/// Steps side by side, each as high as it is long, so that those that differ stand out.
std::optional<Chart> split_chart(const std::vector<StepBreakdown>& steps, bool one_process) {
  if (steps.size() < 2) return std::nullopt;
  constexpr std::size_t kMost = chart::kMaxStackedColumns;
  const std::size_t count = std::min(steps.size(), kMost);
  chart::Stacked chart;
  std::string caption = "Time of each step by part";
  if (count < steps.size())
    caption += fmt::format(", first {} of {} steps", count, grouped(std::ssize(steps)));
  for (const char* part : result::kStepParts)
    chart.kinds.push_back({part, known_share_color(part)});
  chart.values.resize(chart.kinds.size());
  for (std::size_t at = 0; at <= count; ++at)
    chart.edges.push_back(static_cast<double>(at));
  for (std::size_t at = 0; at < count; ++at) {
    const StepBreakdown& step = steps[at];
    std::string tip = (one_process ? "" : truncate(step.process) + ", ") + step_name(step) + ": " +
                      micros(step.us);
    for (std::size_t part = 0; part < chart.kinds.size(); ++part) {
      const double us = part < step.parts.size() ? step.parts[part].us : 0;
      chart.values[part].push_back(us / 1e6);
      if (us >= 0.01 * step.us) tip += fmt::format("\n{} {}", chart.kinds[part].name, micros(us));
    }
    chart.tips.push_back(std::move(tip));
    chart.x_ticks.push_back({static_cast<double>(at) + 0.5,
                             step.number ? fmt::format("{}", *step.number) : std::string{"–"}});
  }
  chart.label = caption;
  std::vector<LegendEntry> legend;
  for (std::size_t part = 0; part < chart.kinds.size(); ++part)
    if (std::any_of(chart.values[part].begin(), chart.values[part].end(),
                    [](double value) { return value > 0; }))
      legend.push_back({std::to_string(part), chart.kinds[part].name, chart.kinds[part].color});
  return drawn_chart(
      std::move(caption), [&] { return draw(chart); }, std::move(legend));
}

/// Parts that take any time: a column of zeros says nothing, and there are many columns.
template <typename Rows>
std::vector<std::size_t> parts_seen(const Rows& rows) {
  std::vector<std::size_t> seen;
  for (std::size_t at = 0; at < std::size(result::kStepParts); ++at)
    if (std::any_of(rows.begin(), rows.end(), [at](const auto& row) {
          return at < row.parts.size() && row.parts[at].us > 0;
        }))
      seen.push_back(at);
  return seen;
}

void add_part_columns(std::vector<Column>& columns, const std::vector<std::size_t>& seen) {
  for (const std::size_t at : seen)
    columns.push_back({capitalized(result::kStepParts[at]), Kind::number});
}

void add_part_cells(std::vector<Cell>& cells, const std::vector<StepPart>& parts,
                    const std::vector<std::size_t>& seen) {
  for (const std::size_t at : seen)
    cells.emplace_back(at < parts.size() ? two_decimals(parts[at].percent) : std::string{kUnknown});
}

Table process_table(const std::vector<ProcessBreakdown>& processes, bool has_gpu) {
  std::vector<Column> columns = {{"Process", Kind::head},
                                 {"Steps", Kind::number},
                                 {"Profiled", Kind::number},
                                 {"GPU busy", Kind::number}};
  const std::vector<std::size_t> seen = parts_seen(processes);
  add_part_columns(columns, seen);
  Table table("Profiled time by process (parts in %)", columns);
  for (const ProcessBreakdown& process : processes) {
    std::vector<Cell> cells = {
        printable(process.process), count_cell(process.steps), micros_cell(process.us),
        has_gpu ? share_cell(process.gpu_busy_us, process.us) : std::string{kUnknown}};
    add_part_cells(cells, process.parts, seen);
    table.add(std::move(cells));
  }
  return table.drop_unknown();
}

Table step_table(const std::vector<StepBreakdown>& steps, bool has_gpu) {
  std::vector<Column> columns = {
      {"Process", Kind::head},  {"Step", Kind::number},     {"Phase"},
      {"Tokens", Kind::number}, {"Duration", Kind::number}, {"GPU busy", Kind::number}};
  const std::vector<std::size_t> seen = parts_seen(steps);
  add_part_columns(columns, seen);
  columns.push_back({"Start", Kind::time});
  Table table("Profiled steps (parts in %)", columns);
  for (const StepBreakdown& step : steps) {
    std::vector<Cell> cells = {
        printable(step.process),
        count_cell(step.number),
        step.phase ? std::string{result::to_text(*step.phase)} : std::string{kUnknown},
        count_cell(step.tokens),
        micros_cell(step.us),
        has_gpu ? share_cell(step.gpu_busy_us, step.us) : std::string{kUnknown}};
    add_part_cells(cells, step.parts, seen);
    cells.emplace_back(step.start ? to_iso8601(*step.start) : std::string{kUnknown});
    table.add(std::move(cells));
  }
  return table.drop_unknown().details({"Memset", "Start"}).first(kMaxSteps);
}

std::optional<Section> make_step_breakdown(const result::Result& result) {
  const result::Traces& traces = result.traces;
  if (traces.empty())
    return missing(
        "No PyTorch traces were recorded. Run with 'debrief record', or use "
        "torch.profiler.profile(schedule=…, on_trace_ready=tensorboard_trace_handler(folder), "
        "record_shapes=True, profile_memory=True), call step() after each step, and put the files "
        "into the job's folder.");
  if (traces.processes.empty()) return missing("The traces have no events with a duration.");
  const bool has_gpu = !traces.gpus.empty();
  Section section;
  section.say(parts_sentence(traces));
  section.say(spread_sentence(traces.steps));
  if (std::any_of(traces.steps.begin(), traces.steps.end(),
                  [](const StepBreakdown& step) { return !step.number; }))
    section.note("A trace without marked steps counts as one step. Call the profiler's step() "
                 "after each iteration to mark them.");
  section.draw(process_chart(traces.processes));
  section.show(process_table(traces.processes, has_gpu), kRowsShown, "processes");
  section.draw(split_chart(traces.steps, traces.processes.size() == 1));
  section.show(step_table(traces.steps, has_gpu), kRowsShown, "steps");
  return section;
}

} // namespace

const SectionSpec kStepBreakdownSection = {
    .id = "step-breakdown",
    .heading = "Step breakdown",
    .chapter = Chapter::training,
    .how_to_read =
        "Kernels should fill the bars. Runtime is the CPU launching work or waiting for it. CPU "
        "operators and other are time without GPU work. Data loader is waiting for input. Compare "
        "a slow step with a typical one to see where the extra time went.",
    .how_computed =
        "Each moment of a step counts once, for the first that applies: kernel, memcpy, memset, "
        "communication, runtime, data loader, CPU operators, other. So the parts sum to the step. "
        "GPU busy is the union over all streams of the process's GPUs.",
    .make = make_step_breakdown,
};

} // namespace debrief::render
