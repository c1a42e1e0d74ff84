// Ranges that user code named, and modules.
#include "render/parts/format.h"
#include "render/parts/histogram_chart.h"
#include "render/parts/section.h"
#include "render/parts/trace_words.h"
#include "render/sections/sections.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace debrief::render {

namespace {

using result::AnnotationRow;
using result::ModuleRow;

constexpr std::size_t kMaxHistograms = 4;
constexpr std::int64_t kMinCount = 10; ///< fewer durations are read faster than drawn

constexpr const char* kNoModules =
    "The traces have no modules; profile with with_stack=True (TorchScript: with_modules=True).";

std::string annotation_sentence(const AnnotationRow& row, std::size_t names) {
  return fmt::format("{1} takes the most time of {0}: {2} in {3}, mean {4}.",
                     plural(static_cast<std::int64_t>(names), "annotation"), truncate(row.name),
                     micros(row.total_us), plural(row.count, "range"), micros(row.mean_us));
}

/// Where the durations lie from the shortest to the longest: strong where half as many as in the
/// fullest bin or more are, pale where fewer.
Cell spread_cell(const AnnotationRow& row) {
  const result::Histogram& histogram = row.histogram;
  if (row.count < 2 || histogram.empty() || histogram.edges.size() <= histogram.counts.size())
    return kUnknown;
  const auto fullest = std::max_element(histogram.counts.begin(), histogram.counts.end());
  const double width = 100 / static_cast<double>(histogram.counts.size());
  std::vector<Mark> marks;
  for (std::size_t at = 0; at < histogram.counts.size(); ++at)
    if (const std::int64_t count = histogram.counts[at]; count > 0)
      marks.push_back({width * static_cast<double>(at), width, 2 * count < *fullest});
  const auto bin = static_cast<std::size_t>(fullest - histogram.counts.begin());
  return {fmt::format("most from {} to {}", micros(histogram.edges[bin]),
                      micros(histogram.edges[bin + 1])),
          std::move(marks)};
}

Table annotation_table(const std::vector<AnnotationRow>& rows) {
  std::vector<Column> columns = {{"Annotation", Kind::head}, {"Process"}};
  for (const char* name : {"Count", "Total", "Min", "Mean", "Max", "GPU work"})
    columns.push_back({name, Kind::number});
  columns.push_back({"Min to max", Kind::bar});
  Table table("Annotations by total time", std::move(columns));
  for (const AnnotationRow& row : rows)
    table.add({printable(row.name), printable(row.process), count_cell(row.count),
               micros_cell(row.total_us), micros_cell(row.min_us), micros_cell(row.mean_us),
               micros_cell(row.max_us), micros_cell(row.gpu_us), spread_cell(row)});
  return table.drop_unknown();
}

void draw_histograms(Section& section, const std::vector<AnnotationRow>& rows) {
  std::size_t drawn = 0;
  for (const AnnotationRow& row : rows) {
    if (drawn == kMaxHistograms) return;
    if (row.count < kMinCount) continue;
    result::Histogram seconds = row.histogram;
    for (double& edge : seconds.edges)
      edge /= 1e6;
    const auto figure = histogram_chart(
        {fmt::format("Durations of {} ({})", truncate(row.name), truncate(row.process)),
         chart::HistogramUnit::seconds, "range"},
        {{printable(row.name), &seconds, std::nullopt}});
    section.draw(figure);
    if (figure) ++drawn;
  }
}

std::string module_sentence(const std::vector<ModuleRow>& modules) {
  const bool on_gpu = std::any_of(modules.begin(), modules.end(),
                                  [](const ModuleRow& row) { return row.device_self_us > 0; });
  const auto self = [on_gpu](const ModuleRow& row) {
    return on_gpu ? row.device_self_us : row.host_self_us;
  };
  const auto most =
      std::max_element(modules.begin(), modules.end(),
                       [&](const auto& a, const auto& b) { return self(a) < self(b); });
  return fmt::format("{1} takes the most {2} self time of {0}: {3} in {4}.",
                     plural(std::ssize(modules), "module"), truncate(most->name),
                     on_gpu ? "GPU" : "CPU", micros(self(*most)), plural(most->calls, "call"));
}

Table module_table(const std::vector<ModuleRow>& modules, bool has_gpu) {
  std::vector<Column> columns = {{"Module", Kind::head}};
  for (const char* name : {"Calls", "CPU self", "CPU total", "GPU self", "GPU total"})
    columns.push_back({name, Kind::number});
  Table table("Modules, forward passes", std::move(columns));
  const auto device = [&](double us) { return has_gpu ? micros_cell(us) : Cell(kUnknown); };
  for (const ModuleRow& row : modules)
    table.add({printable(row.name), count_cell(row.calls), micros_cell(row.host_self_us),
               micros_cell(row.host_total_us), device(row.device_self_us),
               device(row.device_total_us)});
  return table.drop_unknown();
}

std::optional<Section> make_annotations(const result::Result& result) {
  const result::Traces& traces = result.traces;
  if (traces.empty()) return std::nullopt;
  if (traces.annotations.empty() && traces.modules.empty())
    return missing("The traces have neither annotations nor modules. Name ranges of code with "
                   "torch.profiler.record_function.");
  Section section;
  if (traces.annotations.empty()) {
    section.note(
        "The traces have no annotations. Name ranges of code with torch.profiler.record_function.");
  } else {
    const auto most =
        std::max_element(traces.annotations.begin(), traces.annotations.end(),
                         [](const auto& a, const auto& b) { return a.total_us < b.total_us; });
    section.say(annotation_sentence(*most, traces.annotations.size()));
    section.show(annotation_table(traces.annotations), kRowsShown, "annotations");
    draw_histograms(section, traces.annotations);
  }
  if (traces.modules.empty()) {
    section.note(kNoModules);
  } else {
    section.say(module_sentence(traces.modules));
    section.show(module_table(traces.modules, !traces.gpus.empty()), kRowsShown, "modules");
  }
  return section;
}

} // namespace

const SectionSpec kAnnotationsSection = {
    .id = "annotations",
    .heading = "Annotations and modules",
    .chapter = Chapter::training,
    .how_to_read = "Annotations are ranges named with record_function, and PyTorch's own "
                   "(optimizer, data loader). A short range with a lot of GPU time only launches "
                   "that work; the GPU runs it later.",
    .how_computed =
        "Durations are CPU time, over all ranges of a name. GPU work is what was launched within "
        "them. A module's self time leaves out nested modules. Modules come from Python frames.",
    .make = make_annotations,
};

} // namespace debrief::render
