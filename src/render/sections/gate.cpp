// What `debrief check` demanded of the job, and what was found.
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
  Table table{"Assertions, failed ones first",
              {{"Assertion", Kind::head},
               {"Status"},
               {"Expected"},
               {"Found"},
               {"What it means", Kind::words}}};
  for (const result::Assertion& assertion : gate->assertions)
    table.add({printable(assertion.name), capitalized(to_text(assertion.status)),
               printable(assertion.expected), printable(assertion.found),
               printable(assertion.message)});
  if (table.size() > 0) section.show(table);
  const StatusBadge& badge = gate_badge(*gate);
  section.say(gate_sentence(*gate));
  section.set("badge", {{"word", badge.word},
                        {"class", badge.css},
                        {"path", badge.path},
                        {"fill", badge.color.light}});
  if (!gate->passed) section.flag_issue();
  return section;
}

} // namespace

const SectionSpec kGateSection = {
    .id = "gate",
    .heading = "Gate",
    .nav_label = "Gate",
    .group = Group::overview,
    .make = make_gate,
    .body = "sections/gate.html",
};

} // namespace debrief::render
