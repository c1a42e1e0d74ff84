#include "rules/model/tensor_names.h"

#include "aggregate/xgboost/rounds.h"
#include "util/pattern_set.h"

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

TensorIds union_of(const TensorIds& a, const TensorIds& b) {
  TensorIds out;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(out));
  return out;
}

} // namespace

TensorIds TensorNames::matching(std::span<const std::string> patterns) const {
  PatternSet set{patterns};
  return ids_of(table_, [&](const std::string& name) { return set.finds(name); });
}

TensorIds TensorNames::in_collections(std::span<const std::string> collections) const {
  TensorIds out;
  for (const std::string& wanted : collections) {
    if (wanted == "all") return all();
    for (const job::TensorCollection& collection : table_.collections) {
      if (collection.name != wanted) continue;
      PatternSet patterns{collection.patterns};
      out = union_of(out, ids_of(table_, [&](const std::string& name) {
                       return std::binary_search(collection.names.begin(), collection.names.end(),
                                                 name) ||
                              patterns.finds(name);
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
