#include "rules/model/tensor_names.h"

#include "aggregate/xgboost/rounds.h"
#include "util/pattern.h"

#include <algorithm>
#include <iterator>
#include <numeric>

namespace debrief::rules::model {

namespace {

/// Ids of names for which `belongs` holds.
template <typename Belongs>
TensorIds ids_of(const job::TensorTable& table, const Belongs& belongs) {
  TensorIds ids;
  for (std::uint32_t i = 0; i < table.names.size(); ++i)
    if (belongs(table.names[i])) ids.push_back(i);
  return ids;
}

/// A job's own pattern that cannot be read finds nothing: its collection still has its names.
std::vector<Pattern> parsed(std::span<const std::string> texts) {
  std::vector<Pattern> out;
  for (const std::string& text : texts)
    if (auto pattern = Pattern::parse(text)) out.push_back(std::move(*pattern));
  return out;
}

bool any_finds(const std::vector<Pattern>& patterns, const std::string& name) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const Pattern& pattern) { return pattern.search(name); });
}

TensorIds union_of(const TensorIds& a, const TensorIds& b) {
  TensorIds out;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

} // namespace

TensorIds TensorNames::matching(std::span<const std::string> patterns) const {
  const std::vector<Pattern> compiled = parsed(patterns);
  return ids_of(table_, [&](const std::string& name) { return any_finds(compiled, name); });
}

TensorIds TensorNames::in_collections(std::span<const std::string> collections) const {
  TensorIds out;
  for (const std::string& wanted : collections) {
    if (wanted == "all") return all();
    for (const job::TensorCollection& collection : table_.collections) {
      if (collection.name != wanted) continue;
      const std::vector<Pattern> patterns = parsed(collection.patterns);
      out = union_of(out, ids_of(table_, [&](const std::string& name) {
                       return std::binary_search(collection.names.begin(), collection.names.end(),
                                                 name) ||
                              any_finds(patterns, name);
                     }));
    }
  }
  return out;
}

TensorIds TensorNames::selected(std::span<const std::string> collections,
                                std::span<const std::string> patterns) const {
  return union_of(in_collections(collections), matching(patterns));
}

TensorIds TensorNames::all() const {
  TensorIds ids(table_.names.size());
  std::iota(ids.begin(), ids.end(), 0U);
  return ids;
}

std::optional<std::uint32_t> TensorNames::find(std::string_view name) const {
  const auto found = std::lower_bound(table_.names.begin(), table_.names.end(), name);
  if (found == table_.names.end() || *found != name) return std::nullopt;
  return static_cast<std::uint32_t>(found - table_.names.begin());
}

bool TensorNames::of_xgboost() const {
  return aggregate::are_of_xgboost(table_);
}

} // namespace debrief::rules::model
