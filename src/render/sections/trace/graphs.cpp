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
  section.say(fmt::format("{} {} of graphs started {} kernels, copies and sets, {} in all.",
                          grouped(graphs.launches), graphs.launches == 1 ? "launch" : "launches",
                          grouped(graphs.work), micros(graphs.us)));
  if (graphs.mapped_us <= 0) {
    section.note(
        graphs.captures == 0
            ? "Which operators it belongs to is not recorded: a graph's launches are seen when it "
              "is captured. Profile the capture, too, and put that trace into the job's folder."
            : "No capture in the traces has as many calls of the same kinds, in the same order, as "
              "a graph launch starts; so the operators are not known.");
    return section;
  }
  section.say(fmt::format("Captures in the traces tell the operators of {} of it.",
                          share_text(graphs.mapped_us, graphs.us)));
  Table table("Operators of graphs", {{"Operator", Kind::head},
                                      {"Kernels and copies", Kind::number},
                                      {"Time", Kind::number},
                                      {"Of all graph work (%)", Kind::number},
                                      {"Of all graph work", Kind::bar}});
  for (const GraphOperator& row : graphs.operators)
    table.add({row.op.empty() ? "outside of operators" : printable(row.op), count_cell(row.work),
               micros_cell(row.us), two_decimals(row.percent), share_bar(row.percent)});
  section.show(table, kRowsShown, "operators");
  return section;
}

} // namespace

const SectionSpec kGraphsSection = {
    .id = "graphs",
    .heading = "CUDA graphs",
    .nav_label = "CUDA graphs",
    .group = Group::gpu,
    .how_to_read = "One launch starts all work of a graph, so that the tables of operators have it "
                   "in one row. Here it is by the operators whose launches were captured.",
    .how_computed =
        "The calls between a stream's begin and end of capture that started no work themselves are "
        "the graph's, in their order. They are the work of a graph launch where that is as much, "
        "of the same kinds (kernel, copy, set), one after the other. Captures that fit and differ "
        "in their operators are not used.",
    .make = make_graphs,
};

} // namespace debrief::render
