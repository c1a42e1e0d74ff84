// What backward passes compute again, since it was not kept: the price of activation checkpointing.
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/parts/trace_words.h"
#include "render/sections/sections.h"
#include "util/number_text.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::render {

namespace {

using result::Recomputation;

std::optional<Section> make_recomputation(const result::Result& result) {
  const std::vector<Recomputation>& rows = result.traces.recomputation;
  if (rows.empty()) return std::nullopt;
  const Recomputation& most =
      *std::max_element(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
        return a.kernel_percent < b.kernel_percent;
      });
  Section section;
  section.say(fmt::format(
      "Backward passes recompute activations: {} of the kernel time of {} ({}).",
      exact_percent_text(most.kernel_percent), truncate(most.process), micros(most.kernel_us)));
  Table table("Recomputed in backward passes", {{"Process", Kind::head},
                                                {"Operators", Kind::number},
                                                {"Host", Kind::number},
                                                {"Kernels", Kind::number},
                                                {"Share (%)", Kind::number},
                                                {"Share", Kind::bar}});
  for (const Recomputation& row : rows)
    table.add({printable(row.process), count_cell(row.operators), micros_cell(row.host_us),
               micros_cell(row.kernel_us), two_decimals(row.kernel_percent),
               share_bar(row.kernel_percent)});
  section.show(table, kRowsShown, "processes");
  return section;
}

} // namespace

const SectionSpec kRecomputationSection = {
    .id = "recomputation",
    .heading = "Recomputation",
    .chapter = Chapter::memory,
    .how_to_read =
        "This is the cost of activation checkpointing. If GPU memory is free, checkpoint fewer "
        "layers, or only those that are cheap to compute and large to keep.",
    .how_computed = "Counts operators with an autograd sequence number that run inside a backward "
                    "function, with the kernels they launch. A backward pass that is "
                    "differentiated itself (create_graph) looks the same.",
    .make = make_recomputation,
};

} // namespace debrief::render
