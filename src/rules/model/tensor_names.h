// Which tensors a rule looks at: by collections and by regular expressions over their names.
#pragma once

#include "job/tensors.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::rules::model {

/// Tensors as indices into TensorTable::names, ascending.
using TensorIds = std::vector<std::uint32_t>;

class TensorNames {
public:
  explicit TensorNames(const job::TensorTable& table)
      : table_(table) {}

  /// Those in which any of the patterns finds something (Python's re.search).
  TensorIds matching(std::span<const std::string> patterns) const;

  /// Those of any of the collections. "all" has every tensor.
  TensorIds in_collections(std::span<const std::string> collections) const;

  /// The union of both.
  TensorIds selected(std::span<const std::string> collections,
                     std::span<const std::string> patterns) const;

  TensorIds all() const;

  /// Nothing where there is no tensor of this name.
  std::optional<std::uint32_t> find(std::string_view name) const;

  const std::string& operator[](std::uint32_t tensor) const { return table_.names[tensor]; }

  const job::TensorTable& table() const { return table_; }

  /// Whether XGBoost saved them: it names tensors after features and trees.
  bool of_xgboost() const;

private:
  const job::TensorTable& table_;
};

} // namespace debrief::rules::model
