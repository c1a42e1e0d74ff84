// How fast operators ran, against what their GPU can do: a roofline, a table, and the steps' use of
// the GPU's peak.
#include "chart/roofline.h"
#include "render/parts/category_words.h"
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/parts/trace_words.h"
#include "render/sections/sections.h"
#include "result/step_time.h"
#include "util/number_text.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace debrief::render {

namespace {

using result::OperatorPerformance;
using result::Performance;

constexpr std::size_t kRooflineRows = 120; ///< in the drawing: the most time first

/// Three digits: "611", "2.23", "0.0102".
std::string three_digits(double value) {
  if (value >= 99.95) return grouped(static_cast<std::int64_t>(value + 0.5));
  return fmt::format("{:#.3g}", value);
}

/// Without the "[]" of numbers and flags at the end.
std::string tensor_shapes(std::string shapes) {
  while (shapes.ends_with(" []"))
    shapes.resize(shapes.size() - 3);
  return name_or_unknown(shapes);
}

Cell rate_cell(const std::optional<double>& value) {
  if (!value) return kUnknown;
  Cell cell(three_digits(*value));
  cell.raw = plain_number(*value);
  return cell;
}

double all_gpu_time(const Performance& performance) {
  return performance.known_us + performance.without_shapes_us + performance.without_formula_us +
         performance.outside_us;
}

const result::GpuPeaks* peaks_of(const Performance& performance, const std::string& gpu) {
  const auto found = std::find_if(performance.gpus.begin(), performance.gpus.end(),
                                  [&](const auto& peaks) { return peaks.gpu == gpu; });
  return found == performance.gpus.end() || found->model.empty() ? nullptr : &*found;
}

std::string utilization_words(const result::Result& result) {
  const Performance& performance = result.traces.performance;
  double flops = 0;
  double us = 0;
  for (const result::StepFlops& step : performance.steps) {
    flops += step.flops;
    us += step.us;
  }
  if (performance.steps.empty() || us <= 0) return "";
  const result::StepFlops& first = performance.steps.front();
  const auto count = static_cast<double>(performance.steps.size());
  std::string out =
      fmt::format("Matrix work is {} TFLOPs in {}{}", three_digits(flops / count / 1e12),
                  micros(us / count), first.number ? " (mean of a step)" : " (full trace)");
  if (const auto utilization = result::flops_utilization(result))
    out += fmt::format(": {} of what the GPU could do in {} (model FLOPs utilization{})",
                       exact_percent_text(*utilization), truncate(first.precision),
                       result::is_profile_distorted(result)
                           ? fmt::format(" at the job's own {} per iteration",
                                         to_human_duration(*result::seconds_per_step(result)))
                           : "");
  const auto least = std::min_element(
      performance.steps.begin(), performance.steps.end(),
      [](const auto& a, const auto& b) { return a.known_percent < b.known_percent; });
  if (least->known_percent < result::kKnownEnough)
    out += fmt::format(". FLOPs are known for only {} of GPU time, too little for a utilization",
                       share_text(least->known_percent, 100));
  return out + '.';
}

std::string largest_words(const Performance& performance) {
  const OperatorPerformance& row = performance.rows.front();
  std::string out = fmt::format("{} takes the most time ({})", truncate(row.name),
                                exact_percent_text(row.percent));
  if (row.peak_percent && row.roof == result::Roof::compute)
    out += fmt::format(" and reaches {} of the GPU's {} peak",
                       exact_percent_text(*row.peak_percent), truncate(row.precision));
  else if (row.bandwidth_percent)
    out += fmt::format(" and uses {} of the memory bandwidth",
                       exact_percent_text(*row.bandwidth_percent));
  return out + '.';
}

/// What the figures do not cover.
void add_limits(Section& section, const Performance& performance) {
  const double all = all_gpu_time(performance);
  std::vector<std::string> parts;
  const auto add = [&](double us, const char* words) {
    if (us > 0) parts.push_back(fmt::format("{} {}", share_text(us, all), words));
  };
  add(performance.without_formula_us,
      "has no formula (fused, sparse or custom operators, communication)");
  add(performance.without_shapes_us, "has no recorded shapes (profile with record_shapes=True)");
  add(performance.outside_us,
      "was launched outside recorded operators (CUDA graphs, earlier work)");
  if (!parts.empty())
    section.note(fmt::format("FLOPs and bytes are known for {} of GPU time; {}.",
                             share_text(performance.known_us, all), join_and(parts)));
  for (const result::GpuPeaks& gpu : performance.gpus)
    if (gpu.model.empty())
      section.note(fmt::format("The peak of {} is unknown, so rates have no share of it. "
                               "docs/performance.md lists known models.",
                               gpu.gpu.empty() ? "a GPU whose model was not recorded"
                                               : "the GPU \"" + truncate(gpu.gpu) + '"'));
  if (performance.gpus.empty())
    section.note("The peak is unknown: the traces do not name the GPU.");
}

std::string product_words(const OperatorPerformance& row) {
  if (!row.product) return std::string{kUnknown};
  const result::MatrixProduct& of = *row.product;
  const std::string sizes = fmt::format("{} × {} × {}", of.m, of.n, of.k);
  return of.batch == 1 ? sizes : fmt::format("{} of {}", of.batch, sizes);
}

std::string row_tip(const OperatorPerformance& row) {
  return fmt::format("{} {}: {} TFLOP/s, {} FLOPs per byte, {} of GPU time", truncate(row.name),
                     row.product ? product_words(row) : truncate(row.shapes),
                     three_digits(*row.tflops_per_second), three_digits(*row.intensity),
                     exact_percent_text(row.percent));
}

/// Of the GPU with the most time; another model has other lines.
std::optional<Chart> roofline(const Performance& performance) {
  const std::string& gpu = performance.rows.front().gpu;
  chart::RooflineChart chart;
  std::vector<LegendEntry> legend;
  std::vector<std::string> precisions;
  for (const OperatorPerformance& row : performance.rows) {
    if (chart.points.size() == kRooflineRows) break;
    if (row.gpu != gpu || !row.intensity || !row.tflops_per_second) continue;
    const std::string words = category_words(row.category);
    auto kind = std::find_if(legend.begin(), legend.end(),
                             [&](const LegendEntry& entry) { return entry.words == words; });
    if (kind == legend.end()) {
      legend.push_back({std::to_string(legend.size()), words, category_color(row.category)});
      chart.kinds.push_back(legend.back().color);
      kind = legend.end() - 1;
    }
    chart.points.push_back({*row.intensity, *row.tflops_per_second, row.percent / 100,
                            static_cast<std::size_t>(kind - legend.begin()), row_tip(row)});
    if (row.product || row.peak_percent) precisions.push_back(row.precision);
  }
  if (chart.points.empty()) return std::nullopt;
  std::string caption = "Roofline of operators";
  if (const result::GpuPeaks* peaks = peaks_of(performance, gpu)) {
    caption += fmt::format(", limits of {}", truncate(peaks->model));
    chart.tb_per_second = peaks->tb_per_second;
    for (const result::PrecisionPeak& peak : peaks->compute)
      if (std::find(precisions.begin(), precisions.end(), peak.precision) != precisions.end())
        chart.peaks.push_back({truncate(peak.precision), peak.tflops});
    // Without matrix work the slope of the memory still needs an end.
    if (chart.peaks.empty() && !peaks->compute.empty())
      chart.peaks.push_back(
          {truncate(peaks->compute.front().precision), peaks->compute.front().tflops});
  }
  chart.label = fmt::format(
      "{}. {}", caption,
      row_tip(*std::find_if(performance.rows.begin(), performance.rows.end(), [](const auto& row) {
        return row.intensity && row.tflops_per_second;
      })));
  return drawn_chart(
      std::move(caption), [&] { return draw(chart); }, std::move(legend));
}

/// The result has more.
constexpr std::size_t kPerformanceRows = 12;

Table performance_table(const Performance& performance) {
  std::vector<Column> columns = {{"Operator", Kind::head}, {"M × N × K", Kind::time}};
  for (const char* name : {"GPU time", "Share (%)", "TFLOP/s", "Of peak (%)", "TB/s",
                           "Of bandwidth (%)", "FLOPs per byte"})
    columns.push_back({name, Kind::number});
  for (const Column& column : std::vector<Column>{{"Limited by"},
                                                  {"Type"},
                                                  {"Calls", Kind::number},
                                                  {"Category"},
                                                  {"Shapes", Kind::words},
                                                  {"GPU"}})
    columns.push_back(column);
  Table table("FLOPs and bytes by operator and shapes", std::move(columns));
  const bool one_gpu = performance.gpus.size() <= 1;
  for (const OperatorPerformance& row : performance.rows)
    table.add(
        {printable(row.name), product_words(row), micros_cell(row.us), two_decimals(row.percent),
         rate_cell(row.tflops_per_second), two_decimals(row.peak_percent),
         rate_cell(row.tb_per_second), two_decimals(row.bandwidth_percent),
         rate_cell(row.intensity), row.roof ? to_text(*row.roof) : std::string{kUnknown},
         name_or_unknown(row.precision), count_cell(row.calls), category_words(row.category),
         tensor_shapes(row.shapes), one_gpu ? std::string{kUnknown} : name_or_unknown(row.gpu)});
  return table.drop_unknown()
      .details({"FLOPs per byte", "Type", "Calls", "Category", "Shapes", "GPU"})
      .first(kPerformanceRows);
}

void show_step_flops(Section& section, const std::vector<result::StepFlops>& steps) {
  if (steps.empty()) return;
  Table table("Matrix FLOPs by step", {{"Process", Kind::head},
                                       {"Step", Kind::number},
                                       {"Duration", Kind::number},
                                       {"TFLOPs", Kind::number},
                                       {"Main type"},
                                       {"GPUs", Kind::number},
                                       {"Known (%)", Kind::number},
                                       {"Utilization (%)", Kind::number}});
  for (const result::StepFlops& step : steps)
    table.add({printable(step.process), count_cell(step.number), micros_cell(step.us),
               rate_cell(step.flops / 1e12), name_or_unknown(step.precision), count_cell(step.gpus),
               two_decimals(step.known_percent), two_decimals(step.utilization)});
  section.show(table.drop_unknown(), kRowsShown, "steps");
}

std::optional<Section> make_operator_performance(const result::Result& result) {
  const Performance& performance = result.traces.performance;
  if (all_gpu_time(performance) <= 0) return std::nullopt;
  if (performance.rows.empty())
    return missing(performance.without_shapes_us > 0
                       ? "The traces have no operator shapes. Profile with "
                         "torch.profiler.profile(record_shapes=True)."
                       : "FLOPs and bytes are unknown: GPU work was launched outside operators "
                         "(CUDA graphs) or by operators without a formula.");
  Section section;
  section.say(utilization_words(result));
  section.say(largest_words(performance));
  add_limits(section, performance);
  section.draw(roofline(performance));
  section.show(performance_table(performance), kRowsShown, "operators");
  show_step_flops(section, performance.steps);
  return section;
}

} // namespace

const SectionSpec kOperatorPerformanceSection = {
    .id = "operator-performance",
    .heading = "Operator performance",
    .chapter = Chapter::operators,
    .how_to_read =
        "The slope is memory bandwidth, the level lines are the GPU's peaks. An operator near its "
        "line is as fast as the GPU allows. One far below can improve with better shapes "
        "(multiples of 8 or 16, larger batches), another precision, or a fused kernel. Operators "
        "on the left are memory-bound: only moving fewer bytes helps.",
    .how_computed =
        "FLOPs and bytes come from recorded shapes and types: each input read and each output "
        "written once. Rates divide them by the GPU time that the calls launched. Peaks are the "
        "vendors' dense numbers. Cached data can exceed the bandwidth; it then has no share of it. "
        "Utilization counts matrix products, attention and convolutions of a step, recomputed ones "
        "included. It divides them by the step's duration and the peak of their main type. "
        "docs/performance.md has formulas, peaks and sources.",
    .make = make_operator_performance,
};

} // namespace debrief::render
