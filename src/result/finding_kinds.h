// Every kind of finding in one literal: what it is called, which cause of lost time it is about,
// and where the page shows it. What finds it is in src/findings/detectors/. `./dev docs` writes the
// lists of docs/ from here.
#pragma once

#include "result/enum_names.h"
#include "result/waste_over_time.h"
#include "util/meaning.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace debrief::result {

/// `unknown` is a kind that only another version of debrief has; it is met in documents alone.
enum class FindingKind {
  failed,
  diverged,
  loss_not_decreasing,
  overfitting,
  overtraining,
  constant_evaluation,
  vanishing_gradients,
  dead_units,
  class_imbalance,
  input_bound,
  cpu_bound,
  io_bound,
  underutilized,
  idle_gpus,
  load_imbalance,
  step_stalls,
  slow_start,
  slow_finish,
  between_steps,
  memory_growth,
  memory_pressure,
  gpu_throttled,
  cpu_throttled,
  communication_bound,
  copy_bound,
  host_sync,
  compile_bound,
  save_bound,
  gc_bound,
  python_bound,
  idle,
  insufficient_data,
  unknown
};

/// Numbers at the top of the page that a finding can be about; a kind can be about several.
enum class Tile : std::uint8_t {
  none = 0,
  busy = 1,
  iteration = 2,
  memory = 4,
  cores = 8,
  startup = 16
};

constexpr Tile operator|(Tile a, Tile b) {
  return static_cast<Tile>(static_cast<std::uint8_t>(a) | static_cast<std::uint8_t>(b));
}

constexpr bool is_among(Tile one, Tile several) {
  return (static_cast<std::uint8_t>(one) & static_cast<std::uint8_t>(several)) != 0;
}

struct FindingSpec {
  FindingKind kind = FindingKind::unknown;
  /// As documents, `--fail-on` and `--on` have it.
  const char* id;
  /// "waiting on data": what its time is called in a sentence, and beside bars.
  const char* name;
  Meaning meaning = Meaning::idle;
  /// Whose time it takes; absent: it costs nothing that can be measured, or adds up what others do
  /// not take. Of several kinds of one cause the first stands for it.
  std::optional<Cause> cause = {};
  const char* section = ""; ///< of the page, with more about it; empty: none
  Tile tiles = Tile::none;
  /// It is the verdict whatever else costs more; of several that do, the first in this table.
  bool outranks = false;
  bool opens_panels = false; ///< the timeline shows it in a panel that is folded otherwise
};

/// In the order in which documents list them.
inline constexpr auto kFindingSpecs = std::to_array<FindingSpec>({
    {
        .kind = FindingKind::failed,
        .id = "failed",
        .name = "failure",
        .section = "job",
        .outranks = true,
    },
    {
        .kind = FindingKind::diverged,
        .id = "diverged",
        .name = "training after divergence",
        .meaning = Meaning::model,
        .cause = Cause::model,
        .section = "curves",
        .outranks = true,
    },
    {
        .kind = FindingKind::loss_not_decreasing,
        .id = "loss_not_decreasing",
        .name = "training without learning",
        .meaning = Meaning::model,
        .cause = Cause::model,
        .section = "curves",
    },
    {
        .kind = FindingKind::overfitting,
        .id = "overfitting",
        .name = "overfitting",
        .meaning = Meaning::model,
        .cause = Cause::model,
        .section = "curves",
    },
    {
        .kind = FindingKind::overtraining,
        .id = "overtraining",
        .name = "overtraining",
        .meaning = Meaning::model,
        .cause = Cause::model,
        .section = "curves",
    },
    {
        .kind = FindingKind::constant_evaluation,
        .id = "constant_evaluation",
        .name = "a constant evaluation loss",
        .meaning = Meaning::model,
        .section = "curves",
    },
    {
        .kind = FindingKind::vanishing_gradients,
        .id = "vanishing_gradients",
        .name = "vanishing gradients",
        .meaning = Meaning::model,
        .cause = Cause::model,
        .section = "model",
    },
    {
        .kind = FindingKind::dead_units,
        .id = "dead_units",
        .name = "dead or saturated units",
        .meaning = Meaning::model,
        .section = "model",
    },
    {
        .kind = FindingKind::class_imbalance,
        .id = "class_imbalance",
        .name = "class imbalance",
        .meaning = Meaning::model,
        .section = "rules",
    },
    {
        .kind = FindingKind::input_bound,
        .id = "input_bound",
        .name = "waiting on data",
        .meaning = Meaning::data,
        .cause = Cause::input,
        .section = "data-loading",
        .tiles = Tile::busy | Tile::iteration,
    },
    {
        .kind = FindingKind::cpu_bound,
        .id = "cpu_bound",
        .name = "CPU saturated",
        .meaning = Meaning::launch,
        .cause = Cause::cpu,
        .section = "cpu-bottlenecks",
        .tiles = Tile::busy | Tile::cores,
    },
    {
        .kind = FindingKind::io_bound,
        .id = "io_bound",
        .name = "waiting on disk",
        .meaning = Meaning::disk,
        .cause = Cause::io,
        .section = "io-bottlenecks",
        .tiles = Tile::busy,
        .opens_panels = true,
    },
    {
        .kind = FindingKind::underutilized,
        .id = "underutilized",
        .name = "underused GPU",
        .meaning = Meaning::launch,
        .cause = Cause::unexplained,
        .section = "gpu-utilization",
        .tiles = Tile::busy,
    },
    {
        .kind = FindingKind::idle_gpus,
        .id = "idle_gpus",
        .name = "unused GPUs",
        .cause = Cause::idle_gpu,
        .section = "load-balance",
        .tiles = Tile::busy,
    },
    {
        .kind = FindingKind::load_imbalance,
        .id = "load_imbalance",
        .name = "uneven work",
        .cause = Cause::imbalance,
        .section = "load-balance",
        .tiles = Tile::busy,
    },
    {
        .kind = FindingKind::step_stalls,
        .id = "step_stalls",
        .name = "stalled steps",
        .meaning = Meaning::between,
        .cause = Cause::stall,
        .section = "steps",
        .tiles = Tile::iteration,
    },
    {
        .kind = FindingKind::slow_start,
        .id = "slow_start",
        .name = "startup",
        .meaning = Meaning::startup,
        .cause = Cause::start,
        .section = "job",
        .tiles = Tile::startup,
    },
    {
        .kind = FindingKind::slow_finish,
        .id = "slow_finish",
        .name = "shutdown",
        .meaning = Meaning::startup,
        .cause = Cause::finish,
        .section = "job",
    },
    {
        .kind = FindingKind::between_steps,
        .id = "between_steps",
        .name = "between steps",
        .meaning = Meaning::between,
        .cause = Cause::between,
        .section = "job",
        .tiles = Tile::iteration,
    },
    {
        .kind = FindingKind::memory_growth,
        .id = "memory_growth",
        .name = "growing memory",
        .section = "gpu-memory",
        .tiles = Tile::memory,
        .opens_panels = true,
    },
    {
        .kind = FindingKind::memory_pressure,
        .id = "memory_pressure",
        .name = "memory pressure",
        .section = "gpu-memory",
        .tiles = Tile::memory,
        .opens_panels = true,
    },
    {
        .kind = FindingKind::gpu_throttled,
        .id = "gpu_throttled",
        .name = "throttled GPU",
        .section = "gpu-utilization",
        .opens_panels = true,
    },
    {
        .kind = FindingKind::cpu_throttled,
        .id = "cpu_throttled",
        .name = "throttled CPU",
        .section = "cpu-bottlenecks",
        .tiles = Tile::cores,
    },
    {
        .kind = FindingKind::communication_bound,
        .id = "communication_bound",
        .name = "exposed communication",
        .meaning = Meaning::communication,
        .cause = Cause::communication,
        .section = "communication",
        .tiles = Tile::busy | Tile::iteration,
        .opens_panels = true,
    },
    {
        .kind = FindingKind::copy_bound,
        .id = "copy_bound",
        .name = "exposed copies",
        .meaning = Meaning::copy,
        .cause = Cause::copy,
        .section = "gpu-activity",
        .tiles = Tile::busy | Tile::iteration,
    },
    {
        .kind = FindingKind::host_sync,
        .id = "host_sync",
        .name = "blocking syncs",
        .meaning = Meaning::launch,
        .cause = Cause::sync,
        .section = "gpu-activity",
        .tiles = Tile::busy,
    },
    {
        .kind = FindingKind::compile_bound,
        .id = "compile_bound",
        .name = "compiling",
        .meaning = Meaning::launch,
        .cause = Cause::compile,
        .section = "job",
        .tiles = Tile::busy | Tile::iteration,
    },
    {
        .kind = FindingKind::save_bound,
        .id = "save_bound",
        .name = "saving checkpoints",
        .meaning = Meaning::disk,
        .cause = Cause::save,
        .section = "steps",
        .tiles = Tile::iteration,
    },
    {
        .kind = FindingKind::gc_bound,
        .id = "gc_bound",
        .name = "garbage collection",
        .meaning = Meaning::between,
        .cause = Cause::collect,
        .section = "steps",
        .tiles = Tile::busy | Tile::iteration,
    },
    {
        .kind = FindingKind::python_bound,
        .id = "python_bound",
        .name = "code outside PyTorch",
        .meaning = Meaning::between,
        .cause = Cause::python,
        .section = "gpu-activity",
        .tiles = Tile::busy | Tile::iteration,
    },
    {
        .kind = FindingKind::idle,
        .id = "idle",
        .name = "other idle",
        .section = "job",
        .tiles = Tile::busy,
    },
    {
        .kind = FindingKind::insufficient_data,
        .id = "insufficient_data",
        .name = "too little data",
        .section = "data-quality",
    },
    {
        .kind = FindingKind::unknown,
        .id = "unknown",
        .name = "other idle",
    },
});

constexpr const FindingSpec& spec_of(FindingKind kind) {
  return kFindingSpecs[static_cast<std::size_t>(kind)];
}

/// The kind that is about a cause.
constexpr FindingKind kind_of(Cause cause) {
  for (const FindingSpec& spec : kFindingSpecs)
    if (spec.cause == cause) return spec.kind;
  return FindingKind::unknown;
}

template <>
inline constexpr auto kNames<FindingKind> = [] {
  std::array<const char*, kFindingSpecs.size()> names{};
  for (std::size_t at = 0; at < names.size(); ++at)
    names[at] = kFindingSpecs[at].id;
  return names;
}();

/// Every kind that a job can have.
inline constexpr auto kFindingKinds = [] {
  std::array<FindingKind, kFindingSpecs.size() - 1> all{};
  for (std::size_t at = 0; at < all.size(); ++at)
    all[at] = kFindingSpecs[at].kind;
  return all;
}();

/// Whether it is about what the model learned, not about how the machine was used.
constexpr bool is_about_model(FindingKind kind) {
  return spec_of(kind).meaning == Meaning::model;
}

/// A name as a reader sees it beside bars, bands and lanes: "input_bound" -> "input bound".
inline std::string kind_words(std::string_view name) {
  std::string out{name};
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

inline std::string kind_words(FindingKind kind) {
  return kind_words(to_text(kind));
}

namespace checks {

constexpr bool specs_are_in_order() {
  for (std::size_t at = 0; at < kFindingSpecs.size(); ++at)
    if (kFindingSpecs[at].kind != static_cast<FindingKind>(at)) return false;
  return kFindingSpecs.back().kind == FindingKind::unknown;
}

constexpr bool every_cause_has_a_kind() {
  for (std::size_t at = 0; at < kCauses; ++at)
    if (kind_of(static_cast<Cause>(at)) == FindingKind::unknown) return false;
  return true;
}

static_assert(specs_are_in_order(), "list the kinds in the order of the enumeration");
static_assert(every_cause_has_a_kind(), "a cause needs a kind of finding that is about it");

} // namespace checks

} // namespace debrief::result
