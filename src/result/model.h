// What was seen of a network's layers while it trained, out of the tensors that the job saved: the
// measure that a rule compares, layer by layer and step by step, and how values were distributed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace debrief::result {

struct LayerRow {
  std::string tensor;                        ///< "gradient/fc.weight"
  std::vector<std::optional<double>> values; ///< of each column; absent: not saved, or not finite
};

/// What one rule compares of every layer. Where there are more steps than columns, a column has the
/// worst of its steps: the least where the rule looks for what is below its threshold.
struct LayerMeasure {
  std::string rule;     ///< "VanishingGradient"
  std::string what;     ///< "mean of absolute values"
  std::string relation; ///< to the threshold, where the rule triggers: "below"
  std::optional<double> threshold;
  std::vector<std::int64_t> steps; ///< the first of each column
  std::vector<LayerRow> layers;    ///< by name; those that triggered before others
  std::int64_t layer_count = 0;    ///< of all, also those beyond kMaxLayers

  /// Else a number without a unit.
  bool is_percent() const { return what.starts_with("percentage"); }
};

inline constexpr std::size_t kMaxLayers = 32;
inline constexpr std::size_t kMaxLayerColumns = 40;

/// The values of one tensor over steps; of finite values only.
struct TensorCourse {
  std::string collection; ///< "weights"
  std::string tensor;
  std::vector<std::int64_t> steps;
  std::vector<std::optional<double>> min;
  std::vector<std::optional<double>> mean;
  std::vector<std::optional<double>> max;
};

inline constexpr std::size_t kMaxCoursePoints = 60;
inline constexpr std::size_t kMaxCourses = 24; ///< of a collection

struct Model {
  std::vector<LayerMeasure> measures; ///< in the order of the rules
  std::vector<TensorCourse> tensors;  ///< by collection, then by name
  std::int64_t tensors_left_out = 0;  ///< beyond kMaxCourses

  bool empty() const { return measures.empty() && tensors.empty(); }
};

} // namespace debrief::result
