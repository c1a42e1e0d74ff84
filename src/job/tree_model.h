// A model of decision trees that the job saved (XGBoost): what its trees are like, and how often
// they split by which feature. The trees themselves are not kept.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace debrief::job {

/// Of all splits by one feature.
struct FeatureUse {
  std::string name; ///< "f3" where the model has no names
  std::int64_t splits = 0;
  double gain = 0;  ///< sum of the splits' gains
  double cover = 0; ///< sum of the second derivatives of the samples that reach the splits
};

struct TreeModel {
  std::string path;                       ///< relative to the job's folder
  std::string version;                    ///< of the program that wrote it: "3.2.0"
  std::string booster;                    ///< "gbtree", "dart", "gblinear"
  std::string objective;                  ///< "binary:logistic"
  std::int64_t trees = 0;                 ///< that could be read
  std::optional<std::int64_t> rounds;     ///< of boosting; several trees may be of one
  std::optional<std::int64_t> best_round; ///< where training stopped early
  std::optional<std::int64_t> features;   ///< of the training data
  std::optional<std::int64_t> classes;    ///< two or more
  std::int64_t splits = 0;
  std::int64_t leaves = 0;
  std::vector<std::int64_t> trees_by_depth; ///< how many have depth 0, 1, …
  std::vector<FeatureUse> used;             ///< by name; features that no split uses are absent
};

} // namespace debrief::job
