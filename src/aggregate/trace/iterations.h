// The steps of a trace: who marked them, and from when to when each of them ran.
//
// The host marks a step and goes on to the next one while the GPU still works off what was queued.
// So a step has two spans: the host's, which says what belongs to it (GPU work belongs to the step
// that launched it), and the one in which it ran, which says how long it took. Steps that follow
// each other run without overlap: one ends where the GPU turns to the work of the next.
#pragma once

#include "job/trace.h"
#include "result/trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace debrief::aggregate {

struct TraceStep {
  Nanoseconds start{}; ///< when it ran: never before the host began it
  Nanoseconds end{};
  Nanoseconds host_start{}; ///< what was called or launched in here belongs to it
  Nanoseconds host_end{};
  std::optional<std::int64_t> number; ///< absent: the whole of a trace, which has no steps
  std::optional<result::StepPhase> phase = {};
  std::optional<std::int64_t> tokens = {}; ///< that the step works on

  Nanoseconds length() const { return end - start; }
};

struct TraceSteps {
  std::vector<TraceStep> list; ///< by time; empty: the trace has nothing that lasts
  result::StepSource source = result::StepSource::none;
};

/// As the host marks them, from the best source that the trace has: `start` and `end` are the
/// host's. `parent` is TraceIndex::parent. Ranges are steps themselves; of optimizers, data loaders
/// and graphs, which are parts of a step, only what lies between two of them is one.
TraceSteps find_steps(const job::Trace& trace, std::span<const std::int32_t> parent);

/// Moves `start` and `end` to when the steps ran. `launch` is TraceIndex::launch.
void place_steps(const job::Trace& trace, std::span<const std::int32_t> launch,
                 std::vector<TraceStep>& steps);

/// The step whose host span holds `time`; nothing where none does.
const TraceStep* step_at(std::span<const TraceStep> steps, Nanoseconds time);

/// "cudaGraphLaunch", "hipGraphLaunch": one call that starts many kernels.
bool is_graph_launch(std::string_view call);

/// What a serving engine's range says: vLLM's and SGLang's
/// "execute_context_1(888)_generation_0(0)" and "step[DECODE bs=32]".
struct EngineIteration {
  std::optional<result::StepPhase> phase;
  std::optional<std::int64_t> tokens;
};

/// Nothing where the name is another range's.
std::optional<EngineIteration> engine_iteration(std::string_view annotation);

} // namespace debrief::aggregate
