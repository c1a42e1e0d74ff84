// When GPUs were idle because I/O held them up.
#include "render/parts/bottlenecks.h"
#include "render/sections/sections.h"

namespace debrief::render {

namespace {

std::optional<Section> make_io_bottlenecks(const result::Result& result) {
  return bottlenecks(result, "I/O", "IOBottleneck");
}

} // namespace

const SectionSpec kIoBottlenecksSection = {
    .id = "io-bottlenecks",
    .heading = "I/O bottlenecks",
    .chapter = Chapter::data_loading,
    .rule = "IOBottleneck",
    .how_to_read = kReadBottlenecks,
    .how_computed = kBottlenecksComputed,
    .make = make_io_bottlenecks,
};

} // namespace debrief::render
