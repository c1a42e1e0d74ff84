// Every kind of finding, one function and one file each. Nothing where it does not hold or its
// inputs are missing.
#pragma once

#include "findings/case.h"

#include <optional>
#include <vector>

namespace debrief::findings {

std::optional<result::Finding> find_input_bound(const Case& of);
std::optional<result::Finding> find_cpu_bound(const Case& of);
std::optional<result::Finding> find_io_bound(const Case& of);
std::optional<result::Finding> find_underutilized(const Case& of);
std::optional<result::Finding> find_idle_gpus(const Case& of);
std::optional<result::Finding> find_load_imbalance(const Case& of);
std::optional<result::Finding> find_step_stalls(const Case& of);
std::optional<result::Finding> find_slow_start(const Case& of);
std::optional<result::Finding> find_slow_finish(const Case& of);
std::optional<result::Finding> find_between_steps(const Case& of);
std::optional<result::Finding> find_memory_growth(const Case& of);
std::optional<result::Finding> find_memory_pressure(const Case& of);
std::optional<result::Finding> find_communication_bound(const Case& of);

/// What is missing to say more, given what was found already.
std::optional<result::Finding> find_insufficient_data(const Case& of,
                                                      const std::vector<result::Finding>& found);

/// Whether there is too little to call the job anything.
bool has_too_little_data(const Case& of);

} // namespace debrief::findings
