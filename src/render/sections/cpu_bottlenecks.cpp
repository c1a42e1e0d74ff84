// When GPUs were idle because the CPU held them up.
#include "render/parts/bottlenecks.h"
#include "render/sections/sections.h"

namespace debrief::render {

namespace {

std::optional<Section> make_cpu_bottlenecks(const result::Result& result) {
  return bottlenecks(result, "CPU", "CPUBottleneck");
}

} // namespace

const SectionSpec kCpuBottlenecksSection = {
    .id = "cpu-bottlenecks",
    .heading = "CPU bottlenecks",
    .chapter = Chapter::data_loading,
    .rule = "CPUBottleneck",
    .how_to_read = kReadBottlenecks,
    .how_computed = kBottlenecksComputed,
    .make = make_cpu_bottlenecks,
};

} // namespace debrief::render
