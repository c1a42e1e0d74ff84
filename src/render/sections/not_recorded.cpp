// What the page has no section for, since the job has no data for it, and how to record it. The
// page makes the list (render/page/view.cpp).
#include "render/sections/sections.h"

namespace debrief::render {

const SectionSpec kNotRecordedSection = {
    .id = "not-recorded",
    .heading = "Not recorded",
    .chapter = Chapter::data,
    .make = [](const result::Result& /*result*/) -> std::optional<Section> { return std::nullopt; },
    .body = "sections/not_recorded.html",
};

} // namespace debrief::render
