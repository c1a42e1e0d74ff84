// The figures of a result that a gate can demand and two jobs can be compared by: each has a dotted
// name ("gpu.p50", "steps.train.p95"), a value, a unit, and a better direction.
//
// They are taken from the result's document (docs/result.md), so that a job that was just analyzed
// and a result.json of last month are read alike.
#pragma once

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::compare {

enum class Better { higher, lower, neither };

struct Figure {
  std::string name;  ///< "steps.train.p50", "gpu[algo-1].p50"
  std::string label; ///< "Median step, TRAIN"
  std::string unit;  ///< "%", "s", "B", "GPU-hours", "" for a count
  Better better = Better::neither;
  double value = 0;
  /// How much it varies within the job: medians of consecutive blocks of steps. Empty: not known.
  std::vector<double> blocks;
  /// Its changes can be told from noise by blocks only: a duration of steps.
  bool needs_blocks = false;
  /// What a share is of, where that is not the same of all jobs: "GPU-hours", "node-hours".
  std::string of = {};
};

/// All figures that the document has, in a fixed order, names unique. A figure of several nodes,
/// GPUs or processes is that of the worst; each one's own has its name in brackets.
std::vector<Figure> figures_of(const nlohmann::json& document);

/// Every name without brackets that some job can have, for telling a misspelled name from a figure
/// that this job lacks.
bool is_known_name(std::string_view name);

/// The nearest known name, as did_you_mean() words it.
std::string nearest_name(std::string_view name);

/// A result document: `path` itself, where it is one. Throws Error where it is JSON of another kind
/// or of another schema version. Nothing where it is a job (a folder or another kind of file).
std::optional<nlohmann::json> read_document(const std::string& path);

} // namespace debrief::compare
