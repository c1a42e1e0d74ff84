// What the numbers of SageMaker's rule outputs can be. A percentage of 4102444799 or a step of
// minus one second is no measurement: it is lost, not clamped, so that nothing is concluded from
// it.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <string>

namespace debrief::ingest {

/// Takes the numbers that cannot have been measured out of a rule's details; what needs several
/// numbers (the percentiles of a node) goes with one of them. Returns how many were impossible.
std::uint64_t drop_impossible_numbers(const std::string& rule, nlohmann::json& details);

} // namespace debrief::ingest
