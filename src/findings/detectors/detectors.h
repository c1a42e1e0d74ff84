// What finds each kind of finding, one function each. Nothing if it does not hold or its inputs are
// missing. registry.cpp has their order.
#pragma once

#include "findings/diagnosis_context.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace debrief::findings {

std::optional<result::Finding> find_failed(const DiagnosisContext& ctx);
std::optional<result::Finding> find_model_finding(const DiagnosisContext& ctx);

/// An evaluation that is constant beside a training that learns nothing.
std::optional<result::Finding> find_unmoved_evaluation(const DiagnosisContext& ctx);

/// " The 1,190 steps after that were for nothing: 40% of the job's GPU time."; empty where there
/// are none. `score` is the finding's.
std::string model_cost(const DiagnosisContext& ctx, const ModelTrouble& trouble, double score);

std::optional<result::Finding> find_vanishing_gradients(const DiagnosisContext& ctx);
std::optional<result::Finding> find_dead_units(const DiagnosisContext& ctx);
std::optional<result::Finding> find_class_imbalance(const DiagnosisContext& ctx);
std::optional<result::Finding> find_input_bound(const DiagnosisContext& ctx);
std::optional<result::Finding> find_cpu_bound(const DiagnosisContext& ctx);
std::optional<result::Finding> find_io_bound(const DiagnosisContext& ctx);
std::optional<result::Finding> find_underutilized(const DiagnosisContext& ctx);
std::optional<result::Finding> find_idle_gpus(const DiagnosisContext& ctx);
std::optional<result::Finding> find_load_imbalance(const DiagnosisContext& ctx);
std::optional<result::Finding> find_step_stalls(const DiagnosisContext& ctx);
std::optional<result::Finding> find_slow_start(const DiagnosisContext& ctx);
std::optional<result::Finding> find_slow_finish(const DiagnosisContext& ctx);
std::optional<result::Finding> find_between_steps(const DiagnosisContext& ctx);
std::optional<result::Finding> find_memory_growth(const DiagnosisContext& ctx);
std::optional<result::Finding> find_memory_pressure(const DiagnosisContext& ctx);
std::optional<result::Finding> find_gpu_throttled(const DiagnosisContext& ctx);
std::optional<result::Finding> find_cpu_throttled(const DiagnosisContext& ctx);
std::optional<result::Finding> find_communication_bound(const DiagnosisContext& ctx);
std::optional<result::Finding> find_copy_bound(const DiagnosisContext& ctx);
std::optional<result::Finding> find_host_sync(const DiagnosisContext& ctx);
std::optional<result::Finding> find_compile_bound(const DiagnosisContext& ctx);
std::optional<result::Finding> find_save_bound(const DiagnosisContext& ctx);
std::optional<result::Finding> find_gc_bound(const DiagnosisContext& ctx);
std::optional<result::Finding> find_python_bound(const DiagnosisContext& ctx);

using Detector = std::optional<result::Finding> (*)(const DiagnosisContext& ctx);

/// Those of lost time, for jobs of which enough is known (has_too_little_data()).
std::span<const Detector> detectors_of_time();

/// Those that need no more than what they look at.
std::span<const Detector> other_detectors();

// What is said in view of what the others found.

/// What is lost beside `found`, where the job as a whole loses too much, none of `found` calls for
/// action, and none of it alone is most of the loss.
std::optional<result::Finding> find_idle(const DiagnosisContext& ctx,
                                         const std::vector<result::Finding>& found);

/// What a cause is called where parts of a job's time are listed: "startup".
std::string cause_words(Cause cause);

/// What is missing to say more, given what was found already.
std::optional<result::Finding> find_insufficient_data(const DiagnosisContext& ctx,
                                                      const std::vector<result::Finding>& found);

/// Whether there is too little to call the job anything.
bool has_too_little_data(const DiagnosisContext& ctx);

/// Whether enough was seen to say that what was not found is not there.
bool is_conclusive(const DiagnosisContext& ctx);

// What the findings on a job's start and finish share.

/// Seconds of the phase, on the node that took longest.
double phase_seconds(const DiagnosisContext& ctx, Cause cause);

/// As cost_finding(), where the phase is also too long for what any framework takes.
std::optional<result::Finding> phase_finding(const DiagnosisContext& ctx, result::FindingKind kind);

} // namespace debrief::findings
