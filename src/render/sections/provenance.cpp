#include "render/sections/provenance.h"

#include "render/parts/table.h"
#include "util/text.h"

namespace debrief::render {

using nlohmann::json;

json provenance_view(const result::Provenance& provenance) {
  json tables = json::array();
  Table parameters("Parameters that differ from their defaults",
                   {{"Parameter", Kind::head}, {"Value"}});
  for (const auto& [name, value] : provenance.parameters)
    parameters.add({printable(name), printable(value)});
  if (parameters.size() > 0) tables.push_back(parameters.narrow().view());
  Table ignored("Parameters that the job set wrongly, and that had no effect",
                {{"Parameter", Kind::head}, {"Value"}, {"Why"}});
  for (const result::IgnoredParameter& row : provenance.ignored_parameters)
    ignored.add({printable(row.name), printable(row.value), printable(row.reason)});
  constexpr std::size_t kMaxIgnored = 100;
  if (ignored.size() > 0) tables.push_back(ignored.first(kMaxIgnored).narrow().view());
  return {
      {"version", provenance.version}, {"input", printable(provenance.input)}, {"tables", tables}};
}

} // namespace debrief::render
