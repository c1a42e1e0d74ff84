#include "compare/catalog.h"

#include "compare/figures/parts.h"

#include <algorithm>

namespace debrief::compare {

const std::vector<Declaration>& catalog() {
  static const std::vector<Declaration> all = [] {
    std::vector<Declaration> out;
    for (const FigurePart& part : figure_parts())
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
  const std::string wanted = without_place(name);
  const auto& all = catalog();
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const Declaration& row) { return row.name == wanted; });
  return found == all.end() ? nullptr : &*found;
}

} // namespace debrief::compare
