// Many ranks at a glance: how long each took for each step, how long it waited for others, and who
// takes longest for what.
#include "chart/heat_grid.h"
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/parts/trace_words.h"
#include "render/sections/sections.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace debrief::render {

namespace {

using result::SlowestProcess;
using result::StepBreakdown;

std::string rank_name(const std::string& process, const std::optional<std::int64_t>& rank) {
  if (!rank) return printable(process);
  const std::string name = fmt::format("rank {}", *rank);
  return process == name ? name : fmt::format("{}, {}", name, printable(process));
}

/// Steps of all processes, as rows and columns. What is more than a drawing has room for is left
/// out: ranks with the least time, and steps in between.
struct RankGrid {
  std::vector<std::string> processes;
  std::vector<std::int64_t> steps;
  std::map<std::string, std::size_t> row_of;
  std::map<std::int64_t, std::size_t> column_of;
  std::size_t all_processes = 0;
  std::size_t all_steps = 0;
};

RankGrid grid_of(const std::vector<StepBreakdown>& steps) {
  std::map<std::string, double> times;
  std::vector<std::string> order;
  std::set<std::int64_t> numbers;
  for (const StepBreakdown& step : steps) {
    if (!step.number) continue;
    const auto [time, is_new] = times.try_emplace(step.process, 0);
    if (is_new) order.push_back(step.process);
    time->second += step.us;
    numbers.insert(*step.number);
  }
  RankGrid grid;
  grid.all_processes = order.size();
  grid.all_steps = numbers.size();
  if (order.size() > chart::kMaxGridRows) {
    std::stable_sort(order.begin(), order.end(),
                     [&](const auto& a, const auto& b) { return times[a] > times[b]; });
    order.resize(chart::kMaxGridRows);
  }
  std::stable_sort(order.begin(), order.end(),
                   [](const auto& a, const auto& b) { return natural_less(a, b); });
  const std::size_t every = (numbers.size() + chart::kMaxGridColumns - 1) / chart::kMaxGridColumns;
  std::size_t at = 0;
  for (const std::int64_t number : numbers)
    if (at++ % std::max<std::size_t>(every, 1) == 0) grid.steps.push_back(number);
  grid.processes = std::move(order);
  for (std::size_t i = 0; i < grid.processes.size(); ++i)
    grid.row_of.emplace(grid.processes[i], i);
  for (std::size_t i = 0; i < grid.steps.size(); ++i)
    grid.column_of.emplace(grid.steps[i], i);
  return grid;
}

template <typename Value>
std::optional<Chart> rank_chart(std::string caption, const RankGrid& grid,
                                const result::Traces& traces, const Value& value) {
  std::map<std::string, std::optional<std::int64_t>> ranks;
  for (const result::TraceFile& file : traces.files)
    ranks.emplace(file.process, file.rank);
  chart::HeatGrid heat;
  for (const std::string& process : grid.processes)
    heat.rows.push_back(rank_name(process, ranks[process]));
  for (const std::int64_t number : grid.steps)
    heat.columns.push_back(fmt::format("step {}", number));
  heat.values.assign(grid.processes.size(), std::vector<std::optional<double>>(grid.steps.size()));
  bool any = false;
  for (const StepBreakdown& step : traces.steps) {
    if (!step.number) continue;
    const auto row = grid.row_of.find(step.process);
    const auto column = grid.column_of.find(*step.number);
    const std::optional<double> of_step = value(step);
    if (row == grid.row_of.end() || column == grid.column_of.end() || !of_step) continue;
    any = true;
    heat.values[row->second][column->second] = of_step;
  }
  if (!any) return std::nullopt;
  if (grid.processes.size() < grid.all_processes)
    caption += fmt::format(", {} slowest of {} processes", grid.processes.size(),
                           grouped(static_cast<std::int64_t>(grid.all_processes)));
  if (grid.steps.size() < grid.all_steps)
    caption += fmt::format(", {} of {} steps", grid.steps.size(),
                           grouped(static_cast<std::int64_t>(grid.all_steps)));
  heat.words = [](double us) { return micros(us); };
  heat.label = caption;
  return drawn_chart(std::move(caption), [&] { return chart::draw(heat); }, {});
}

const SlowestProcess* find_part(const std::vector<SlowestProcess>& rows, std::string_view part) {
  const auto found = std::find_if(rows.begin(), rows.end(),
                                  [&](const SlowestProcess& row) { return row.part == part; });
  return found == rows.end() ? nullptr : &*found;
}

std::string slowest_sentence(const std::vector<SlowestProcess>& rows) {
  const SlowestProcess* step = find_part(rows, "step");
  if (step == nullptr) return "";
  std::string out = fmt::format("{} has the longest steps: mean {}, all ranks' median {}.",
                                capitalized(truncate(rank_name(step->process, step->rank))),
                                micros(step->us), micros(step->median_us));
  // Where ranks wait for each other their steps are alike, and who waits is not who is late: the
  // part of their own work that differs most tells.
  const SlowestProcess* waiting = find_part(rows, "waiting");
  const SlowestProcess* most = nullptr;
  for (const SlowestProcess& row : rows)
    if (row.part != "step" && row.part != "waiting" &&
        (row.part != "communication" || waiting == nullptr) &&
        (most == nullptr || row.us - row.median_us > most->us - most->median_us))
      most = &row;
  if (waiting != nullptr && waiting->us > waiting->median_us)
    out += fmt::format(" {} waits longest for the others: {} per step (median {}).",
                       capitalized(truncate(rank_name(waiting->process, waiting->rank))),
                       micros(waiting->us), micros(waiting->median_us));
  if (most != nullptr && most->us > most->median_us)
    out += fmt::format(
        " Without waiting, ranks differ most in {}: {} spends {} per step on it (median {}).",
        most->part, truncate(rank_name(most->process, most->rank)), micros(most->us),
        micros(most->median_us));
  return out;
}

Table slowest_table(const std::vector<SlowestProcess>& rows) {
  Table table("Slowest rank by part of the step", {{"Part", Kind::head},
                                                   {"Slowest"},
                                                   {"Per step", Kind::number},
                                                   {"Median of all", Kind::number},
                                                   {"More", Kind::number}});
  for (const SlowestProcess& row : rows)
    table.add({capitalized(row.part), rank_name(row.process, row.rank), micros_cell(row.us),
               micros_cell(row.median_us), micros_cell(row.us - row.median_us)});
  return table.plain();
}

std::optional<Section> make_ranks(const result::Result& result) {
  const result::Traces& traces = result.traces;
  if (traces.slowest.empty()) return std::nullopt;
  const RankGrid grid = grid_of(traces.steps);
  Section section;
  section.say(slowest_sentence(traces.slowest));
  section.draw(rank_chart("Step time by rank", grid, traces,
                          [](const StepBreakdown& step) { return std::optional{step.us}; }));
  auto waits = rank_chart("Wait in collectives by rank", grid, traces,
                          [](const StepBreakdown& step) { return step.waited_us; });
  if (!waits) section.note("Waiting is unknown: no collective is in the traces of two processes.");
  section.draw(std::move(waits));
  section.show(slowest_table(traces.slowest));
  return section;
}

} // namespace

const SectionSpec kRanksSection = {
    .id = "ranks",
    .heading = "Ranks",
    .chapter = Chapter::communication,
    .how_to_read =
        "A bright row is a slow rank; a bright column is a step that was slow for all. Ranks that "
        "wait for each other have equal step times. Then the straggler is the one that waits the "
        "shortest, and the table says which part takes it longer.",
    .how_computed = "Steps are matched by number. Waiting is the time from a process's own start "
                    "of a collective to the start of the last one; each moment counts once. The "
                    "table shows means over a process's steps.",
    .make = make_ranks,
};

} // namespace debrief::render
