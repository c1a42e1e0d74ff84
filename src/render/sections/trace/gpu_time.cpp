// What GPU time was for, by category: the first view of it.
#include "chart/bars.h"
#include "render/parts/category_words.h"
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/parts/trace_words.h"
#include "render/sections/sections.h"
#include "util/text.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace debrief::render {

namespace {

using result::CategoryShare;

constexpr std::size_t kNamedOperators = 3; ///< of a category, in its row

std::string gpu_time_words(const result::TraceOperators& operators) {
  std::vector<std::string> parts;
  for (const CategoryShare& row : operators.categories)
    if (parts.size() < 3)
      parts.push_back(fmt::format("{} {}", category_words(row.category),
                                  share_text(row.us, operators.device_self_us)));
  return fmt::format("{} of GPU work: {}.", capitalized(micros(operators.device_self_us)),
                     join_and(parts));
}

/// "aten::mm, aten::addmm": those with the most GPU time.
std::string largest_operators(const result::TraceOperators& operators,
                              result::WorkCategory category) {
  std::string out;
  std::size_t named = 0;
  for (const result::TraceOperator& row : operators.by_name) {
    if (row.outside_operators || row.category != category || named == kNamedOperators) continue;
    ++named;
    out += fmt::format("{}{}", out.empty() ? "" : ", ", printable(row.name));
  }
  return out.empty() ? std::string{kUnknown} : out;
}

Chart gpu_time_chart(const result::TraceOperators& operators) {
  chart::ValueBars chart;
  chart.label = "GPU time by category";
  for (const CategoryShare& row : operators.categories) {
    const std::string share = share_text(row.us, operators.device_self_us);
    chart.rows.push_back({capitalized(category_words(row.category)), row.percent,
                          fmt::format("{}, {}", share, micros(row.us)), 0,
                          category_color(row.category)});
    chart.label += fmt::format("{} {} {}", chart.rows.size() == 1 ? ":" : ",",
                               category_words(row.category), share);
  }
  return drawn_chart("GPU time by category", [&] { return draw(chart); }, {});
}

Table gpu_time_table(const result::TraceOperators& operators) {
  Table table("GPU work by category", {{"Category", Kind::head},
                                       {"Time", Kind::number},
                                       {"Share (%)", Kind::number},
                                       {"Kernels and copies", Kind::number},
                                       {"Largest operators"}});
  for (const CategoryShare& row : operators.categories)
    table.add({capitalized(category_words(row.category)), micros_cell(row.us),
               two_decimals(row.percent), count_cell(row.calls),
               largest_operators(operators, row.category)});
  return table;
}

std::optional<Section> make_gpu_time(const result::Result& result) {
  const result::TraceOperators& operators = result.traces.operators;
  if (operators.categories.empty()) return std::nullopt;
  Section section;
  section.say(gpu_time_words(operators));
  section.draw(gpu_time_chart(operators));
  section.show(gpu_time_table(operators));
  return section;
}

} // namespace

const SectionSpec kGpuTimeSection = {
    .id = "gpu-time",
    .heading = "GPU time",
    .chapter = Chapter::gpu,
    .how_to_read = "GPUs are fast at matrix products, attention and convolutions. In elementwise "
                   "work, normalization and copies the GPU waits for its memory. Fuse them "
                   "(torch.compile, fused kernels), or avoid casts and layout changes.",
    .how_computed =
        "Every kernel, copy and memset counts in one category with its full duration, so "
        "categories sum to all GPU work. The operator that launched it decides; if that is "
        "unknown, the kernel's name. Kernels that only move or convert data are copies.",
    .make = make_gpu_time,
};

} // namespace debrief::render
