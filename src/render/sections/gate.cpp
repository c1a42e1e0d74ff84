// What `debrief check` demanded of the job, and what was found.
#include "render/parts/cells.h"
#include "render/parts/finding_words.h"
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/parts/status_badge.h"
#include "render/sections/sections.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::render {

namespace {

std::optional<Section> make_gate(const result::Result& result) {
  const std::optional<result::Gate>& gate = result.gate;
  if (!gate) return std::nullopt;
  Section section;
  Table table{"Checks, failed ones first",
              {{"Check", Kind::head},
               {"Status"},
               {"Found"},
               {"Required"},
               {"Margin", Kind::drawing},
               {"What it means", Kind::words}}};
  for (const result::Assertion& check : gate->assertions) {
    const std::string margin = check_margin(check);
    table.add({printable(check.name), capitalized(to_text(check.status)), printable(check.found),
               printable(check.expected),
               margin.empty()
                   ? Cell{kUnknown}
                   : drawn_cell(check.found, margin, plain_number(*check.value - *check.bound)),
               printable(check.message)});
  }
  if (table.size() > 0) section.show(table.drop_unknown());
  const StatusBadge& badge = gate_badge(*gate);
  section.say(gate_sentence(*gate));
  section.set("badge", {{"word", badge.word},
                        {"class", badge.css},
                        {"path", badge.path},
                        {"fill", badge.color.light}});
  if (!gate->passed) section.flag_issue(badge.css);
  return section;
}

} // namespace

const SectionSpec kGateSection = {
    .id = "gate",
    .heading = "Gate",
    .chapter = Chapter::gate,
    .make = make_gate,
    .body = "sections/gate.html",
};

} // namespace debrief::render
