#include "compare/figure.h"
#include "compare/figures/parts.h"
#include "util/text.h"

#include <array>

namespace debrief::compare {

std::span<const FigurePart> figure_parts() {
  static constexpr std::array<FigurePart, 7> kParts = {{{declare_usage, collect_usage},
                                                        {declare_steps, collect_steps},
                                                        {declare_times, collect_times},
                                                        {declare_waste, collect_waste},
                                                        {declare_loading, collect_loading},
                                                        {declare_traces, collect_traces},
                                                        {declare_counts, collect_counts}}};
  return kParts;
}

std::vector<Figure> figures_of(const nlohmann::json& document) {
  Collector collector;
  for (const FigurePart& part : figure_parts())
    part.collect(document, collector);
  return collector.take();
}

bool is_known_name(std::string_view name) {
  return find_declaration(name) != nullptr;
}

std::string nearest_name(std::string_view name) {
  std::vector<std::string> names;
  for (const Declaration& declared : catalog())
    names.push_back(declared.name);
  return did_you_mean(without_place(name), names);
}

} // namespace debrief::compare
