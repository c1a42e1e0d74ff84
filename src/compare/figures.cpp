#include "compare/figures.h"

#include "result/json.h"
#include "util/text.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

namespace debrief::compare {

namespace {

/// The figures by concern. An added part has its line here.
struct FigurePart {
  void (*declare)(std::vector<Declaration>& out);
  void (*collect)(const result::Result& result, Collector& out);
};

constexpr FigurePart kParts[] = {
    {declare_usage, collect_usage},     {declare_steps, collect_steps},
    {declare_times, collect_times},     {declare_waste, collect_waste},
    {declare_loading, collect_loading}, {declare_traces, collect_traces},
    {declare_counts, collect_counts}};

/// What all scalars have in common.
const Declaration* scalar_declaration() {
  static const Declaration declaration{"scalar", "", "", Better::neither, Group::curves};
  return &declaration;
}

bool is_worse(double value, double than, Better better) {
  return better == Better::higher ? value < than : value > than;
}

} // namespace

const std::vector<Declaration>& catalog() {
  static const std::vector<Declaration> all = [] {
    std::vector<Declaration> out;
    for (const FigurePart& part : kParts)
      part.declare(out);
    return out;
  }();
  return all;
}

std::string_view place_of(std::string_view name) {
  const std::size_t open = name.find('[');
  const std::size_t close = name.rfind(']');
  if (open == name.npos || close == name.npos || close < open) return {};
  return name.substr(open + 1, close - open - 1);
}

std::string without_place(std::string_view name) {
  const std::size_t open = name.find('[');
  const std::size_t close = name.rfind(']');
  if (open == name.npos || close == name.npos || close < open) return std::string{name};
  return std::string{name.substr(0, open)} + std::string{name.substr(close + 1)};
}

std::string with_place(std::string_view name, std::string_view place) {
  const std::size_t dot = name.rfind('.');
  std::string out{name.substr(0, dot)};
  out += '[';
  out += place;
  out += ']';
  return out + std::string{name.substr(dot)};
}

const Declaration* find_declaration(std::string_view name) {
  if (is_scalar_name(name)) return scalar_declaration();
  const std::string wanted = without_place(name);
  const auto& all = catalog();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Declaration& row) { return row.name == wanted; });
  return found == all.end() ? nullptr : &*found;
}

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
  if (value) add_derived(name, result::rounded(*value), place);
}

void Collector::add_derived(std::string_view name, const std::optional<double>& value,
                            std::string_view place) {
  if (!value || !std::isfinite(*value)) return;
  Figure figure;
  figure.value = *value;
  put(name, place, std::move(figure));
}

void Collector::add_noisy(std::string_view name, const std::optional<double>& value,
                          std::string_view place, std::vector<double> blocks, bool few_steps) {
  if (!value || !std::isfinite(*value)) return;
  Figure figure;
  figure.value = result::rounded(*value);
  std::erase_if(blocks, [](double block) { return !std::isfinite(block); });
  for (double& block : blocks)
    block = result::rounded(block);
  figure.blocks = std::move(blocks);
  figure.needs_blocks = true;
  figure.few_steps = few_steps;
  put(name, place, std::move(figure));
}

void Collector::add_share(std::string_view name, const std::optional<double>& value,
                          std::string_view of) {
  if (!value || !std::isfinite(*value)) return;
  Figure figure;
  figure.value = result::rounded(*value);
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
    const Figure* worst = &found->second.begin()->second; // a name that was found has a figure
    for (const auto& [place, figure] : found->second)
      if (is_worse(figure.value, worst->value, declared.better)) worst = &figure;
    out.push_back(named(*worst, ""));
    for (const auto& [place, figure] : found->second)
      if (!place.empty()) out.push_back(named(figure, place));
  }
  return out;
}

std::vector<Figure> figures_of(const result::Result& result) {
  Collector collector;
  for (const FigurePart& part : kParts)
    part.collect(result, collector);
  std::vector<Figure> out = collector.take();
  std::vector<Figure> scalars = scalar_figures(result);
  std::move(scalars.begin(), scalars.end(), std::back_inserter(out));
  return out;
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

std::optional<double> percent_of(double part, double whole) {
  if (!(whole > 0) || !std::isfinite(part)) return std::nullopt;
  return 100 * result::rounded(part) / result::rounded(whole);
}

} // namespace debrief::compare
