// The condition of a custom rule, as the config file has it: "gpu.util.p50 < 30 for 5min",
// "gradient/*.abs_mean > 10 for 3 steps", "scalar.loss > 5", "waste.lost_percent > 40".
#pragma once

#include "gate/comparison.h"
#include "job/tensors.h"
#include "util/time.h"

#include <cstdint>
#include <optional>
#include <string>

namespace debrief::custom_rules {

enum class Subject {
  metric, ///< one number of the whole job, as `check --require` has it
  series, ///< what machines measured, over time
  scalar, ///< what the training script logged, over steps
  tensor, ///< a reduction of saved tensors, over steps
};

/// What the samples of a window are reduced to.
struct Statistic {
  std::string name;            ///< "p50", "mean"
  std::optional<double> share; ///< of a quantile, 0 to 1; absent: the mean
};

struct Condition {
  std::string text; ///< as written
  Subject subject = Subject::metric;
  /// "waste.lost_percent", "gpu.util", or a pattern (util/glob.h) of scalars' or tensors' names.
  std::string name;
  std::string place = {};                  ///< of series: a pattern of nodes or "node/device"
  std::optional<Statistic> statistic = {}; ///< of series: of each window of `duration`
  job::Reduction reduction = job::Reduction::none; ///< of tensors
  gate::Operator op = gate::Operator::greater;
  gate::Quantity value = {};
  std::int64_t steps = 1;    ///< of scalars and tensors: at so many in a row
  Microseconds duration = 0; ///< of series: for so long without a break
};

/// Throws Error, a sentence that begins with `where`, for anything that means nothing.
Condition parse_condition(const std::string& text, const std::string& where);

} // namespace debrief::custom_rules
