// Operators on GPUs: the kernels of traces, or else the framework timeline.
#include "chart/bars.h"
#include "chart/meaning.h"
#include "render/parts/devices.h"
#include "render/parts/format.h"
#include "render/parts/operator_table.h"
#include "render/parts/share_chart.h"
#include "render/parts/trace_words.h"
#include "render/sections/sections.h"
#include "util/number_text.h"
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
  std::string out = fmt::format("{2} takes the most time: {3}, {4} of kernel time ({0}, {1}){5}.",
                                plural(kernels.names, "kernel"), plural(kernels.calls, "call"),
                                truncate(first.short_name), micros(first.total_us),
                                exact_percent_text(first.percent),
                                first.op.empty() ? "" : ", launched by " + truncate(first.op));
  const result::TraceOperators& operators = traces.operators;
  if (operators.device_self_us > 0)
    out += fmt::format(" Operators that can use tensor cores take {} of GPU time; kernels that do "
                       "use them take {}{}.",
                       share_text(operators.eligible_device_us, operators.device_self_us),
                       operators.tensor_core_unknown_us > 0 ? "at least " : "",
                       share_text(operators.tensor_core_us, operators.device_self_us));
  if (operators.tensor_core_unknown_us > 0)
    out += fmt::format(" For another {}, kernel names do not say.",
                       share_text(operators.tensor_core_unknown_us, operators.device_self_us));
  return out;
}

Chart kernel_chart(const result::Kernels& kernels) {
  chart::ValueBars chart;
  const std::size_t shown = std::min(kernels.rows.size(), kMaxKernels);
  std::string caption = "Kernel time by kernel";
  if (shown < kernels.rows.size())
    caption += fmt::format(", top {} of {}", shown, grouped(kernels.names));
  chart.label = caption;
  bool communicates = false;
  for (std::size_t at = 0; at < shown; ++at) {
    const KernelRow& row = kernels.rows[at];
    communicates = communicates || row.communication;
    chart.rows.push_back(
        {printable(row.short_name), row.percent,
         fmt::format("{}, {}", exact_percent_text(row.percent), plural(row.calls, "call")),
         row.communication ? std::size_t{1} : 0,
         chart::color_of(row.communication ? Meaning::communication : Meaning::compute)});
    if (at < 3)
      chart.label += fmt::format("{}{} {}", at == 0 ? ": " : ", ", truncate(row.short_name),
                                 exact_percent_text(row.percent));
  }
  std::vector<LegendEntry> legend;
  if (communicates)
    legend = {{"0", "computes", chart::color_of(Meaning::compute)},
              {"1", "communicates", chart::color_of(Meaning::communication)}};
  return drawn_chart(
      std::move(caption), [&] { return draw(chart); }, std::move(legend));
}

std::optional<Chart> precision_chart(const std::vector<result::PrecisionShare>& precision) {
  std::vector<Share> shares;
  for (const result::PrecisionShare& row : precision)
    shares.push_back({"", row.precision == "unknown" ? "unknown" : row.precision, row.us,
                      fmt::format("{} in {}", micros(row.us), plural(row.calls, "call"))});
  return share_chart("Kernel time by precision", shares);
}

std::string precision_words(const KernelRow& row) {
  return name_or_unknown(row.precision) +
         (row.tensor_cores.value_or(false) ? ", tensor cores" : "");
}

/// "8192 × 1 × 1"
std::string launch_size(const std::optional<result::LaunchSize>& size) {
  return size ? fmt::format("{} × {} × {}", (*size)[0], (*size)[1], (*size)[2])
              : std::string{kUnknown};
}

std::string launch_shape(const KernelRow& row) {
  std::string out = launch_size(row.grid);
  if (row.grid && row.launch_shapes > 1)
    out += fmt::format(" (1 of {})", grouped(row.launch_shapes));
  return out;
}

Table kernel_table(const result::Kernels& kernels, std::string_view source) {
  Table table(fmt::format("Kernels, most time first{}", source), {{"Kernel", Kind::head},
                                                                  {"Calls", Kind::number},
                                                                  {"Total", Kind::number},
                                                                  {"Share (%)", Kind::number},
                                                                  {"Min", Kind::number},
                                                                  {"Mean", Kind::number},
                                                                  {"Max", Kind::number},
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
    for (const result::StreamId& id : row.streams)
      streams += fmt::format("{}{}/{}", streams.empty() ? "" : ", ", id.device, id.stream);
    table.add({std::move(name), count_cell(row.calls), micros_cell(row.total_us),
               two_decimals(row.percent), micros_cell(row.min_us), micros_cell(row.mean_us),
               micros_cell(row.max_us), name_or_unknown(row.op), precision_words(row),
               two_decimals(row.occupancy), two_decimals(row.blocks_per_sm), launch_shape(row),
               launch_size(row.block), streams.empty() ? std::string{kUnknown} : streams});
  }
  return table.drop_unknown().details(
      {"Min", "Max", "Blocks per SM", "Grid", "Block", "GPU/stream"});
}

/// What is too long for the table, for paper and for who cannot hover.
void show_names(Section& section, const std::vector<KernelRow>& rows) {
  Table table("Full kernel names",
              {{"Kernel", Kind::head}, {"Total", Kind::number}, {"Full name", Kind::words}});
  for (const KernelRow& row : rows)
    if (row.name != row.short_name)
      table.add({printable(row.short_name), micros_cell(row.total_us), printable(row.name)});
  if (table.size() > 0)
    section.show_folded(table, fmt::format("Full names of {}", plural(std::ssize(rows), "kernel")));
}

void add_kernels(Section& section, const result::Traces& traces, std::string_view source) {
  const result::Kernels& kernels = traces.kernels;
  section.say(take_away(traces));
  if (const auto listed = std::ssize(kernels.rows); listed < kernels.names)
    section.note(fmt::format("The table lists {1} of {0}, most time first.",
                             plural(kernels.names, "kernel"), grouped(listed)));
  section.draw(kernel_chart(kernels));
  section.show(kernel_table(kernels, source), kRowsShown, "kernels");
  section.draw(precision_chart(kernels.precision));
  show_names(section, kernels.rows);
}

std::optional<Section> make_gpu_operators(const result::Result& result) {
  const result::Framework& framework = result.framework;
  const result::OperatorTable& operators = framework.gpu_operators;
  const bool traced = !result.traces.kernels.rows.empty();
  if (operators.rows.empty() && !traced)
    return missing(why_no_gpu(result).value_or(no_operators("GPU")));
  Section section;
  if (traced) add_kernels(section, result.traces, source_words(result, result::kFromTraces));
  // Traces say more of the same, and of other steps: two answers to one question.
  if (!operators.rows.empty() && !traced) add_recorded_operators(section, result, operators, "GPU");
  return section;
}

} // namespace

const SectionSpec kGpuOperatorsSection = {
    .id = "gpu-operators",
    .heading = "Kernels",
    .chapter = Chapter::operators,
    .how_to_read = kReadOperators,
    .how_computed = kOperatorsComputed,
    .make = make_gpu_operators,
};

} // namespace debrief::render
