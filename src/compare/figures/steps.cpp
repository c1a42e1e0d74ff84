// Durations of steps, mode by mode.
#include "compare/figures/parts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

namespace debrief::compare {

namespace {

using nlohmann::json;

constexpr const char* kModes[] = {"TRAIN", "EVAL", "PREDICT", "GLOBAL", "PROFILED"};

struct StepFigure {
  const char* name;
  const char* key; ///< in documents
  const char* words;
  const char* unit;
  Better better;
  bool has_blocks;
};

// Medians of blocks measure the noise of what is in the middle of the steps. They say nothing of
// how the few slowest of them, or the first, scatter. How many steps there are, and so their sum,
// is how the job was set up.
constexpr StepFigure kFigures[] = {
    {"p50", "p50", "step, median", "s", Better::lower, true},
    {"mean", "mean", "step, mean", "s", Better::lower, true},
    {"p95", "p95", "step, 95th percentile", "s", Better::lower, false},
    {"p99", "p99", "step, 99th percentile", "s", Better::lower, false},
    {"max", "max", "step, longest", "s", Better::lower, false},
    {"min", "min", "step, shortest", "s", Better::lower, false},
    {"first", "first", "step, first", "s", Better::lower, false},
    {"total", "total_in_seconds", "steps, all together", "s", Better::neither, false},
    {"count", "count", "steps, number", "", Better::neither, false}};

std::string name_of(std::string_view mode, const char* figure) {
  std::string lower{mode};
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  return fmt::format("steps.{}.{}", lower, figure);
}

} // namespace

void declare_steps(std::vector<Declaration>& out) {
  for (const char* mode : kModes)
    for (const StepFigure& figure : kFigures)
      out.push_back({name_of(mode, figure.name), fmt::format("{} {}", mode, figure.words),
                     figure.unit, figure.better, Group::steps});
}

void collect_steps(const json& document, Collector& out) {
  for (const json* row : rows_at(document, "steps")) {
    const std::string mode = text_at(*row, "mode");
    if (std::find(std::begin(kModes), std::end(kModes), mode) == std::end(kModes)) continue;
    const std::string process = text_at(*row, "process");
    for (const StepFigure& figure : kFigures) {
      const auto value = number_at(*row, figure.key);
      if (figure.has_blocks)
        out.add_noisy(name_of(mode, figure.name), value, process,
                      numbers_at(*row, "block_medians"));
      else
        out.add(name_of(mode, figure.name), value, process);
    }
  }
}

} // namespace debrief::compare
