// Operators on the host: what traces say of them, or else the framework timeline.
#include "chart/icicle.h"
#include "chart/meaning.h"
#include "render/parts/format.h"
#include "render/parts/operator_table.h"
#include "render/parts/trace_words.h"
#include "render/sections/sections.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

namespace debrief::render {

namespace {

using result::TraceOperator;
using result::TraceOperators;

/// "cudaGraphLaunch (outside operators)" for the rows of work that no operator launched.
std::string label(const TraceOperator& row) {
  if (!row.outside_operators) return row.name;
  return row.name.empty() ? "(launch not recorded)" : row.name + " (outside operators)";
}

bool is_operator(const TraceOperator& row) {
  return !row.outside_operators;
}

std::string leader(const TraceOperator& row, std::string_view where, double self, double all) {
  return fmt::format("{0} takes the most {1} time: {2} self ({3} of {1} self time) in {4}",
                     truncate(label(row)), where, micros(self), share_text(self, all),
                     plural(row.calls, "call"));
}

/// Who takes most of the GPU's time, and who of the host's.
std::string take_away(const TraceOperators& operators) {
  const auto& rows = operators.by_name;
  const TraceOperator* host = nullptr;
  for (const TraceOperator& row : rows)
    if (is_operator(row) && (host == nullptr || row.host_self_us > host->host_self_us)) host = &row;
  std::string out;
  if (operators.device_self_us > 0) {
    const auto device =
        std::max_element(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
          return a.device_self_us < b.device_self_us;
        });
    out += leader(*device, "GPU", device->device_self_us, operators.device_self_us) + ". ";
  }
  if (host == nullptr) return out;
  return out + leader(*host, "CPU", host->host_self_us, operators.host_self_us) + '.';
}

Table table_of(const std::vector<TraceOperator>& rows, const TraceOperators& all,
               std::string caption, bool with_shapes) {
  std::vector<Column> columns = {{"Operator", Kind::head}};
  if (with_shapes) columns.push_back({"Input shapes", Kind::words});
  for (const char* name : {"Calls", "CPU self", "CPU total", "GPU self", "GPU total",
                           "GPU self (%)", "On tensor cores (%)"})
    columns.push_back({name, Kind::number});
  if (!with_shapes) columns.push_back({"Share", Kind::bar});
  Table table(std::move(caption), std::move(columns));
  const bool has_gpu = all.device_self_us > 0;
  for (const TraceOperator& row : rows) {
    const auto device = [&](double us) { return has_gpu ? micros_cell(us) : Cell(kUnknown); };
    std::vector<Cell> cells = {printable(label(row))};
    if (with_shapes) cells.emplace_back(name_or_unknown(row.shapes));
    cells.push_back(count_cell(row.calls));
    cells.push_back(micros_cell(row.host_self_us));
    cells.push_back(micros_cell(row.host_total_us));
    cells.push_back(device(row.device_self_us));
    cells.push_back(device(row.device_total_us));
    cells.emplace_back(has_gpu ? share_cell(row.device_self_us, all.device_self_us)
                               : std::string{kUnknown});
    cells.emplace_back(row.tensor_core_eligible && row.device_self_us > 0
                           ? share_cell(row.tensor_core_us, row.device_self_us)
                           : std::string{kUnknown});
    if (!with_shapes)
      cells.push_back(share_bar(has_gpu ? percent_of(row.device_self_us, all.device_self_us)
                                        : percent_of(row.host_self_us, all.host_self_us)));
    table.add(std::move(cells));
  }
  return table.drop_unknown();
}

/// What runs inside of what, by GPU time. The phases of a step have one color each.
std::optional<Chart> icicle_chart(const result::Traces& traces) {
  if (traces.stacks.empty()) return std::nullopt;
  const bool gpu = traces.operators.device_self_us > 0;
  chart::Icicle chart;
  chart.kinds = {{"forward and other", chart::color_of(Meaning::compute)},
                 {"backward", chart::color_of(Meaning::communication)},
                 {"optimizer", chart::color_of(Meaning::launch)},
                 {"outside operators", chart::color_of(Meaning::startup)}};
  std::array<bool, 4> seen{};
  for (const result::OperatorStack& stack : traces.stacks)
    if (stack.parent < 0) chart.whole += stack.us;
  for (const result::OperatorStack& stack : traces.stacks) {
    std::size_t kind = 0;
    if (stack.parent >= 0)
      kind = chart.bars[static_cast<std::size_t>(stack.parent)].kind;
    else
      while (kind + 1 < chart.kinds.size() && chart.kinds[kind].name != stack.name)
        ++kind;
    seen[kind] = true;
    chart.bars.push_back({printable(stack.name), stack.parent, stack.us, kind,
                          fmt::format("{}: {}, {}", truncate(stack.name),
                                      share_text(stack.us, chart.whole), micros(stack.us))});
  }
  std::string caption = gpu ? "GPU time by operator and caller" : "CPU time by operator and caller";
  chart.label = caption;
  std::vector<LegendEntry> legend;
  for (std::size_t kind = 0; kind < chart.kinds.size(); ++kind)
    if (seen[kind])
      legend.push_back({std::to_string(kind), chart.kinds[kind].name, chart.kinds[kind].color});
  Chart out = drawn_chart(
      std::move(caption), [&] { return draw(chart); }, std::move(legend));
  out.zooms = true;
  return out;
}

/// Rows by shapes are long, and few read beyond the first; the JSON has more.
constexpr std::size_t kShapesShown = 50;

void add_trace_operators(Section& section, const result::Traces& traces, std::string_view source) {
  const TraceOperators& operators = traces.operators;
  section.say(take_away(operators));
  section.note(
      "Self time leaves out nested operators; total time includes them. GPU time is the kernels, "
      "copies and memsets that an operator launched. Work that no operator launched (CUDA graphs) "
      "has a row for the call that launched it. Shares are of all GPU work.");
  if (const auto listed =
          std::count_if(operators.by_name.begin(), operators.by_name.end(), is_operator);
      listed < operators.names)
    section.note(fmt::format("The table lists {1} of {0}, most time first.",
                             plural(operators.names, "operator"), grouped(listed)));
  section.draw(icicle_chart(traces));
  section.show(
      table_of(operators.by_name, operators, fmt::format("Operators by name{}", source), false),
      kRowsShown, "operators");
  if (operators.by_shapes.empty())
    return section.note("Input shapes were not recorded; profile with record_shapes=True to split "
                        "operators by shape.");
  const std::vector<TraceOperator> shown(
      operators.by_shapes.begin(),
      operators.by_shapes.begin() +
          std::min(std::ssize(operators.by_shapes), static_cast<std::ptrdiff_t>(kShapesShown)));
  const auto listed = std::ssize(shown);
  section.show_folded(
      table_of(shown, operators, fmt::format("Operators by name and shapes{}", source), true),
      listed < operators.names_and_shapes
          ? fmt::format("By name and input shapes: {} of {}", grouped(listed),
                        grouped(operators.names_and_shapes))
          : fmt::format("By name and input shapes: {}", plural(listed, "row")));
}

std::optional<Section> make_cpu_operators(const result::Result& result) {
  const result::Framework& framework = result.framework;
  const result::OperatorTable& operators = framework.cpu_operators;
  const bool traced = result.traces.operators.names > 0;
  if (operators.rows.empty() && !traced) return missing(no_operators("CPU"));
  Section section;
  if (traced)
    add_trace_operators(section, result.traces, source_words(result, result::kFromTraces));
  // Traces say more of the same, and of other steps: two answers to one question.
  if (!operators.rows.empty() && !traced) add_recorded_operators(section, result, operators, "CPU");
  return section;
}

} // namespace

const SectionSpec kCpuOperatorsSection = {
    .id = "cpu-operators",
    .heading = "Operators",
    .chapter = Chapter::operators,
    .how_to_read = kReadOperators,
    .how_computed = kOperatorsComputed,
    .make = make_cpu_operators,
};

} // namespace debrief::render
