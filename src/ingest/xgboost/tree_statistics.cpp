#include "ingest/xgboost/tree_statistics.h"

#include <algorithm>
#include <cmath>
#include <tuple>

namespace debrief::ingest::xgboost {

void TreeNodes::clear() {
  left.clear();
  right.clear();
  feature.clear();
  gain.clear();
  cover.clear();
}

bool TreeStatistics::add(const TreeNodes& tree) {
  const std::size_t size = tree.left.size();
  if (size == 0 || tree.right.size() != size || tree.feature.size() != size ||
      tree.gain.size() != size || tree.cover.size() != size)
    return false;
  seen_.assign(size, false);
  seen_[0] = true;
  waiting_.assign(1, Node{});
  found_.clear();
  std::int64_t leaves = 0;
  std::size_t deepest = 0;
  const auto enter = [&](std::int32_t child, std::size_t depth) {
    if (child < 0 || static_cast<std::size_t>(child) >= size) return false;
    const auto at = static_cast<std::size_t>(child);
    if (seen_[at]) return false; // of two nodes, or of itself
    seen_[at] = true;
    waiting_.push_back({child, depth});
    return true;
  };
  while (!waiting_.empty()) {
    const Node node = waiting_.back();
    waiting_.pop_back();
    deepest = std::max(deepest, node.depth);
    const auto at = static_cast<std::size_t>(node.at);
    if (tree.left[at] == -1) {
      ++leaves;
      continue;
    }
    if (tree.feature[at] < 0 || !std::isfinite(tree.gain[at]) || !std::isfinite(tree.cover[at]) ||
        !enter(tree.left[at], node.depth + 1) || !enter(tree.right[at], node.depth + 1))
      return false;
    found_.push_back(node.at);
  }
  for (const std::int32_t node : found_) {
    const auto at = static_cast<std::size_t>(node);
    Use& use = uses_[tree.feature[at]];
    ++use.splits;
    use.gain += static_cast<double>(tree.gain[at]);
    use.cover += static_cast<double>(tree.cover[at]);
  }
  ++trees_;
  splits_ += static_cast<std::int64_t>(found_.size());
  leaves_ += leaves;
  deepest = std::min(deepest, kDeepestTree);
  if (trees_by_depth_.size() <= deepest) trees_by_depth_.resize(deepest + 1);
  ++trees_by_depth_[deepest];
  return true;
}

void TreeStatistics::finish(const std::vector<std::string>& names, job::TreeModel& model) const {
  model.trees = trees_;
  model.splits = splits_;
  model.leaves = leaves_;
  model.trees_by_depth = trees_by_depth_;
  for (const auto& [feature, use] : uses_) {
    const auto at = static_cast<std::size_t>(feature);
    model.used.push_back({at < names.size() ? names[at] : "f" + std::to_string(feature), use.splits,
                          use.gain, use.cover});
  }
  std::sort(model.used.begin(), model.used.end(), [](const auto& a, const auto& b) {
    return std::tie(a.name, a.splits, a.gain, a.cover) <
           std::tie(b.name, b.splits, b.gain, b.cover);
  });
}

} // namespace debrief::ingest::xgboost
