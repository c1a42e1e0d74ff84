// What CUDA and HIP graphs replay, by the operators that were captured.
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/parts/trace_words.h"
#include "render/sections/sections.h"
#include "util/text.h"

#include <fmt/format.h>

namespace debrief::render {

namespace {

using result::GraphOperator;
using result::GraphWork;

std::optional<Section> make_graphs(const result::Result& result) {
  const GraphWork& graphs = result.traces.graphs;
  if (graphs.empty() || graphs.work == 0) return std::nullopt;
  Section section;
  section.say(fmt::format("{} graph {} started {} kernels, copies and memsets, {} total.",
                          grouped(graphs.launches), graphs.launches == 1 ? "launch" : "launches",
                          grouped(graphs.work), micros(graphs.us)));
  if (graphs.mapped_us <= 0) {
    section.note(graphs.captures == 0
                     ? "The operators are unknown because the capture was not profiled. Profile "
                       "the capture, too, and put that trace into the job's folder."
                     : "The operators are unknown because no capture in the traces matches the "
                       "work that a graph launch starts.");
    return section;
  }
  section.say(fmt::format("Captures in the traces name the operators for {} of it.",
                          share_text(graphs.mapped_us, graphs.us)));
  Table table("Operators of graphs", {{"Operator", Kind::head},
                                      {"Kernels and copies", Kind::number},
                                      {"Time", Kind::number},
                                      {"Share (%)", Kind::number},
                                      {"Share", Kind::bar}});
  for (const GraphOperator& row : graphs.operators)
    table.add({row.op.empty() ? "outside operators" : printable(row.op), count_cell(row.work),
               micros_cell(row.us), two_decimals(row.percent), share_bar(row.percent)});
  section.show(table, kRowsShown, "operators");
  return section;
}

} // namespace

const SectionSpec kGraphsSection = {
    .id = "graphs",
    .heading = "CUDA graphs",
    .chapter = Chapter::gpu,
    .how_to_read = "One launch starts all work of a graph, so the operator tables have it in one "
                   "row. This table splits it by the operators that were captured.",
    .how_computed =
        "Calls between the begin and end of a stream capture belong to the graph, in order. They "
        "match a graph launch with the same number and kinds of work (kernel, copy, memset) in the "
        "same order. Captures that match but differ in their operators are not used.",
    .make = make_graphs,
};

} // namespace debrief::render
