// What a model's trees are like, tree by tree: none of them is kept.
#pragma once

#include "job/tree_model.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace debrief::ingest::xgboost {

/// One tree, as columns of its nodes; the first node is the root.
struct TreeNodes {
  std::vector<std::int32_t> left;  ///< -1: a leaf
  std::vector<std::int32_t> right; ///< -1: a leaf
  std::vector<std::int32_t> feature;
  std::vector<float> gain;
  std::vector<float> cover;

  void clear();
};

class TreeStatistics {
public:
  /// False where the nodes are no tree; then nothing of it counts.
  bool add(const TreeNodes& tree);

  /// Fills in what follows from the trees. Features without a name are called f0, f1, ….
  void finish(const std::vector<std::string>& names, job::TreeModel& model) const;

private:
  struct Use {
    std::int64_t splits = 0;
    double gain = 0;
    double cover = 0;
  };

  struct Node {
    std::int32_t at = 0;
    std::size_t depth = 0;
  };

  std::int64_t trees_ = 0;
  std::int64_t splits_ = 0;
  std::int64_t leaves_ = 0;
  std::vector<std::int64_t> trees_by_depth_;
  std::map<std::int32_t, Use> uses_; ///< not a hash: the file chooses the keys
  std::vector<Node> waiting_;
  std::vector<bool> seen_;
  std::vector<std::int32_t> found_; ///< splits of the tree at hand
};

/// Deeper trees count as of this depth.
inline constexpr std::size_t kDeepestTree = 1000;

} // namespace debrief::ingest::xgboost
