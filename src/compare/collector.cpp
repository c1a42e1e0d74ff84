#include "compare/collector.h"

#include "util/text.h"

#include <utility>

namespace debrief::compare {

namespace {

bool is_worse(double value, double than, Better better) {
  return better == Better::higher ? value < than : value > than;
}

} // namespace

void Collector::put(std::string_view name, std::string_view place, Figure figure) {
  const Declaration* declared = find_declaration(name);
  if (declared == nullptr) return;
  auto& places = by_name_[std::string{name}];
  const auto [found, is_new] = places.try_emplace(printable(place), figure);
  if (!is_new && is_worse(figure.value, found->second.value, declared->better))
    found->second = std::move(figure);
}

void Collector::add(std::string_view name, const std::optional<double>& value,
                    std::string_view place) {
  if (!value) return;
  Figure figure;
  figure.value = *value;
  put(name, place, std::move(figure));
}

void Collector::add_noisy(std::string_view name, const std::optional<double>& value,
                          std::string_view place, std::vector<double> blocks) {
  if (!value) return;
  Figure figure;
  figure.value = *value;
  figure.blocks = std::move(blocks);
  figure.needs_blocks = true;
  put(name, place, std::move(figure));
}

void Collector::add_share(std::string_view name, const std::optional<double>& value,
                          std::string_view of) {
  if (!value) return;
  Figure figure;
  figure.value = *value;
  figure.of = std::string{of};
  put(name, "", std::move(figure));
}

void Collector::set_unit(std::string_view name, std::string_view unit) {
  units_[std::string{name}] = std::string{unit};
}

std::vector<Figure> Collector::take() {
  std::vector<Figure> out;
  for (const Declaration& declared : catalog()) {
    const auto found = by_name_.find(declared.name);
    if (found == by_name_.end()) continue;
    const auto named = [&](const Figure& figure, const std::string& place) {
      Figure row = figure;
      row.name = place.empty() ? declared.name : with_place(declared.name, place);
      row.label = declared.label;
      row.better = declared.better;
      const auto unit = units_.find(declared.name);
      row.unit = unit == units_.end() ? declared.unit : unit->second;
      return row;
    };
    const Figure* worst = nullptr;
    for (const auto& [place, figure] : found->second)
      if (worst == nullptr || is_worse(figure.value, worst->value, declared.better))
        worst = &figure;
    out.push_back(named(*worst, ""));
    for (const auto& [place, figure] : found->second)
      if (!place.empty()) out.push_back(named(figure, place));
  }
  return out;
}

} // namespace debrief::compare
