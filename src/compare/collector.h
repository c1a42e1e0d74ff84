// Gathers what a document says about each figure, place by place, and takes the worst of the
// places.
#pragma once

#include "compare/catalog.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::compare {

class Collector {
public:
  /// The figure's value, where it is known. `place` is a node, a process or a GPU; empty: there is
  /// but one.
  void add(std::string_view name, const std::optional<double>& value, std::string_view place = "");

  /// The same for a duration of steps; `blocks` is how it varies.
  void add_noisy(std::string_view name, const std::optional<double>& value, std::string_view place,
                 std::vector<double> blocks);

  /// For figures whose unit the document says.
  void set_unit(std::string_view name, std::string_view unit);

  /// A share of something that not all documents have: Figure::of.
  void add_share(std::string_view name, const std::optional<double>& value, std::string_view of);

  /// In the order of the catalog: the worst of each figure, then its places by name.
  std::vector<Figure> take();

private:
  void put(std::string_view name, std::string_view place, Figure figure);

  std::map<std::string, std::map<std::string, Figure, std::less<>>, std::less<>> by_name_;
  std::map<std::string, std::string, std::less<>> units_;
};

} // namespace debrief::compare
