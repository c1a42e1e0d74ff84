#include "render/parts/chart.h"

namespace debrief::render {

nlohmann::json Figure::view() const {
  nlohmann::json entries = nlohmann::json::array();
  for (const LegendEntry& entry : legend)
    entries.push_back({{"key", entry.key},
                       {"words", entry.words},
                       {"fill", entry.color.light},
                       {"class", entry.color.name}});
  return {{"kind", "figure"}, {"caption", caption}, {"svg", svg}, {"legend", std::move(entries)}};
}

} // namespace debrief::render
