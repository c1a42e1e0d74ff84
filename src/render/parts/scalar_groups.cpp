#include "render/parts/scalar_groups.h"

#include "render/parts/format.h"
#include "util/text.h"

#include <fmt/format.h>

#include <iterator>
#include <map>

namespace debrief::render {

namespace {

constexpr std::size_t kHandful = 6; ///< as many are seen at one look

std::string heading_of(std::string_view name, std::size_t count) {
  return fmt::format("{} ({})", name, plural(static_cast<std::int64_t>(count), "scalar"));
}

} // namespace

std::string_view prefix_of_scalar(std::string_view name) {
  for (const char separator : {'/', '.'})
    if (const std::size_t at = name.find(separator); at != name.npos && at > 0)
      return name.substr(0, at);
  return {};
}

std::vector<ScalarGroup> group_scalars(const std::vector<const result::Curve*>& curves) {
  std::map<std::string_view, std::vector<const result::Curve*>> by_prefix;
  for (const result::Curve* curve : curves)
    by_prefix[curves.size() > kHandful ? prefix_of_scalar(curve->name) : ""].push_back(curve);
  std::vector<ScalarGroup> groups;
  std::vector<const result::Curve*> rest;
  for (auto& [prefix, its_curves] : by_prefix) {
    if (prefix.empty() || its_curves.size() == 1)
      std::move(its_curves.begin(), its_curves.end(), std::back_inserter(rest));
    else
      groups.push_back({heading_of(truncate(prefix), its_curves.size()), std::move(its_curves)});
  }
  if (rest.empty()) return groups;
  std::string heading = groups.empty()
                            ? plural(static_cast<std::int64_t>(rest.size()), "more scalar")
                            : heading_of("Others", rest.size());
  groups.push_back({std::move(heading), std::move(rest)});
  return groups;
}

} // namespace debrief::render
