#include "job/tensors.h"

#include <algorithm>

namespace debrief::job {

namespace {

constexpr std::array<std::string_view, 4> kModes = {"TRAIN", "EVAL", "PREDICT", "GLOBAL"};

constexpr std::array<std::string_view, kReductions> kReductionNames = {
    "",         "min",    "max",     "mean",    "std",      "variance", "sum",          "prod",
    "l1",       "l2",     "abs_min", "abs_max", "abs_mean", "abs_std",  "abs_variance", "abs_sum",
    "abs_prod", "abs_l1", "abs_l2"};

constexpr std::string_view kPrefix = "smdebug/reductions/";

} // namespace

std::string_view to_string(TensorMode mode) {
  return kModes[static_cast<std::size_t>(mode)];
}

std::optional<TensorMode> tensor_mode(std::string_view text) {
  const auto found = std::find(kModes.begin(), kModes.end(), text);
  if (found == kModes.end()) return std::nullopt;
  return static_cast<TensorMode>(found - kModes.begin());
}

std::string_view to_string(Reduction reduction) {
  return kReductionNames[static_cast<std::size_t>(reduction)];
}

std::optional<Reduction> reduction_of(std::string_view name) {
  const auto found = std::find(kReductionNames.begin(), kReductionNames.end(), name);
  if (name.empty() || found == kReductionNames.end()) return std::nullopt;
  return static_cast<Reduction>(found - kReductionNames.begin());
}

std::span<const std::string_view> reduction_names() {
  return std::span{kReductionNames}.subspan(1);
}

std::pair<std::string_view, Reduction> split_reduction(std::string_view name) {
  if (!name.starts_with(kPrefix)) return {name, Reduction::none};
  const std::string_view rest = name.substr(kPrefix.size());
  const std::size_t slash = rest.find('/');
  if (slash == rest.npos || slash == 0) return {name, Reduction::none};
  const auto reduction = reduction_of(rest.substr(0, slash));
  return reduction ? std::pair{rest.substr(slash + 1), *reduction}
                   : std::pair{name, Reduction::none};
}

} // namespace debrief::job
