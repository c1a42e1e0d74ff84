#include "render/sections/trace/kernel_tables.h"

#include "chart/value_bars.h"
#include "render/parts/format.h"
#include "render/parts/share_chart.h"
#include "render/parts/trace_words.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace debrief::render {

namespace {

using result::KernelRow;

constexpr std::size_t kMaxKernels = 15; ///< in the drawing

std::string take_away(const result::Traces& traces) {
  const result::Kernels& kernels = traces.kernels;
  const KernelRow& first = kernels.rows.front();
  std::string out = fmt::format("Of {} in {}, {} takes the most time: {}, {:.1f} %{}.",
                                counted(kernels.names, "kernel"), counted(kernels.calls, "call"),
                                brief(first.short_name), micros(first.total_us), first.percent,
                                first.op.empty() ? "" : ", launched by " + brief(first.op));
  const result::TraceOperators& operators = traces.operators;
  if (operators.device_self_us > 0)
    out += fmt::format(" Matrix products and convolutions, which can use tensor cores, take {} of "
                       "operators' GPU time; kernels that use them take {}.",
                       share_text(operators.eligible_device_us, operators.device_self_us),
                       share_text(operators.tensor_core_us, operators.device_self_us));
  return out;
}

Figure share_chart(const result::Kernels& kernels) {
  chart::ValueBars chart;
  const std::size_t shown = std::min(kernels.rows.size(), kMaxKernels);
  std::string caption = "Share of kernels' time";
  if (shown < kernels.rows.size())
    caption += fmt::format(": the first {} of {}", shown, grouped(kernels.names));
  chart.label = caption;
  bool communicates = false;
  for (std::size_t at = 0; at < shown; ++at) {
    const KernelRow& row = kernels.rows[at];
    communicates = communicates || row.communication;
    chart.rows.push_back({printable(row.short_name), row.percent,
                          fmt::format("{:.1f} %, {}", row.percent, counted(row.calls, "call")),
                          row.communication ? std::size_t{1} : 0});
    if (at < 3)
      chart.label +=
          fmt::format("{}{} {:.1f} %", at == 0 ? ": " : ", ", brief(row.short_name), row.percent);
  }
  std::vector<LegendEntry> legend;
  if (communicates)
    legend = {{"0", "computes", chart::series(0)}, {"1", "communicates", chart::series(1)}};
  return {std::move(caption), draw(chart), std::move(legend)};
}

std::optional<Figure> precision_chart(const std::vector<result::PrecisionShare>& precision) {
  std::vector<Share> shares;
  for (const result::PrecisionShare& row : precision)
    shares.push_back({"", row.precision == "unknown" ? "not told by the name" : row.precision,
                      row.us, fmt::format("{} in {}", micros(row.us), counted(row.calls, "call"))});
  return share_figure("Precision of kernels that compute, by their names", shares);
}

std::string precision_words(const KernelRow& row) {
  return name_or_unknown(row.precision) + (row.tensor_cores ? ", tensor cores" : "");
}

std::string launch_shape(const std::string& shape, const KernelRow& row) {
  if (shape.empty()) return std::string{kUnknown};
  return row.launch_shapes > 1
             ? fmt::format("{} (1 of {})", printable(shape), grouped(row.launch_shapes))
             : printable(shape);
}

Table kernel_table(const result::Kernels& kernels, std::string_view source) {
  Table table(fmt::format("Kernels, most time first{}", source), {{"Kernel", Kind::head},
                                                                  {"Calls", Kind::number},
                                                                  {"Total", Kind::number},
                                                                  {"Share (%)", Kind::number},
                                                                  {"mean", Kind::number},
                                                                  {"min", Kind::number},
                                                                  {"max", Kind::number},
                                                                  {"Launched by"},
                                                                  {"Precision"},
                                                                  {"Occupancy (%)", Kind::number},
                                                                  {"Blocks per SM", Kind::number},
                                                                  {"Grid", Kind::time},
                                                                  {"Block", Kind::time},
                                                                  {"GPU/stream"}});
  for (const KernelRow& row : kernels.rows) {
    Cell name(printable(row.short_name));
    if (table.size() < kRowsShown && row.name != row.short_name) name.title = printable(row.name);
    std::string streams;
    for (const std::string& stream : row.streams)
      streams += (streams.empty() ? "" : ", ") + printable(stream);
    table.add({std::move(name), count_cell(row.calls), micros_cell(row.total_us),
               two_decimals(row.percent), micros_cell(row.mean_us), micros_cell(row.min_us),
               micros_cell(row.max_us), name_or_unknown(row.op), precision_words(row),
               two_decimals(row.occupancy), two_decimals(row.blocks_per_sm),
               launch_shape(row.grid, row),
               row.block.empty() ? std::string{kUnknown} : printable(row.block),
               streams.empty() ? std::string{kUnknown} : streams});
  }
  return table.drop_unknown();
}

/// What is too long for the table, for paper and for who cannot hover.
void show_names(Section& section, const std::vector<KernelRow>& rows) {
  Table table("Whole names of kernels",
              {{"Kernel", Kind::head}, {"Total", Kind::number}, {"Whole name", Kind::words}});
  for (const KernelRow& row : rows)
    if (row.name != row.short_name)
      table.add({printable(row.short_name), micros_cell(row.total_us), printable(row.name)});
  if (table.size() > 0)
    section.show(
        table.folded_away(fmt::format("Whole names of {}", counted(std::ssize(rows), "kernel"))));
}

} // namespace

void add_kernels(Section& section, const result::Traces& traces, std::string_view source) {
  const result::Kernels& kernels = traces.kernels;
  section.say(take_away(traces));
  if (const auto listed = std::ssize(kernels.rows); listed < kernels.names)
    section.note(fmt::format("Of {}, the first {} are listed.", counted(kernels.names, "kernel"),
                             grouped(listed)));
  section.draw(share_chart(kernels));
  section.show(kernel_table(kernels, source), kRowsShown, "kernels");
  section.draw(precision_chart(kernels.precision));
  show_names(section, kernels.rows);
}

} // namespace debrief::render
