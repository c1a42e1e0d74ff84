// What made the report, of what, and with which parameters.
#include "render/parts/table.h"
#include "render/sections/sections.h"
#include "util/text.h"

namespace debrief::render {

namespace {

std::optional<Section> make_provenance(const result::Result& result) {
  const result::Provenance& provenance = result.provenance;
  Section section;
  section.set("version", provenance.version);
  section.set("input", printable(provenance.input));
  Table parameters("Rule parameters changed from defaults", {{"Parameter", Kind::head}, {"Value"}});
  for (const auto& [name, value] : provenance.parameters)
    parameters.add({printable(name), printable(value)});
  if (parameters.size() > 0) section.show(parameters.narrow());
  Table ignored("Invalid rule parameters, ignored",
                {{"Parameter", Kind::head}, {"Value"}, {"Why"}});
  for (const result::IgnoredParameter& row : provenance.ignored_parameters)
    ignored.add({printable(row.name), printable(row.value), printable(row.reason)});
  constexpr std::size_t kMaxIgnored = 100;
  if (ignored.size() > 0) section.show(ignored.first(kMaxIgnored).narrow());
  return section;
}

} // namespace

const SectionSpec kProvenanceSection = {
    .id = "provenance",
    .heading = "Provenance",
    .chapter = Chapter::data,
    .make = make_provenance,
    .body = "sections/provenance.html",
};

} // namespace debrief::render
