#include "render/view.h"

#include "render/job_view.h"
#include "render/quality_view.h"
#include "render/usage_view.h"
#include "util/text.h"

namespace debrief::render {

using nlohmann::json;

json make_view(const result::Result& result) {
  json view;
  view["title"] = printable(result.job.name);
  view["facts"] = facts_view(result.job);
  view["job"] = job_view(result.job);
  view["usage"] = usage_view(result);
  view["quality"] = quality_view(result.data_quality);
  json parameters = json::array();
  for (const auto& [name, value] : result.provenance.parameters)
    parameters.push_back({{"name", name}, {"value", printable(value)}});
  view["provenance"] = {{"version", result.provenance.version},
                        {"input", printable(result.provenance.input)},
                        {"parameters", parameters}};
  return view;
}

} // namespace debrief::render
