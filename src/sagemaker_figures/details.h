// Reading SageMaker's rule outputs, whose every part may be missing or of another type than
// expected: what does not fit is absent.
#pragma once

#include "job/job.h"
#include "result/histogram.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace debrief::sagemaker_figures {

/// SageMaker's outcome of a rule; null where the job has none.
const job::RuleOutput* find_recorded(const job::Job& job, const std::string& rule);

/// A whole number that can have been counted: not negative, and small enough for sums.
std::optional<std::int64_t> as_count(const nlohmann::json& value);

/// An object's member if it is an object itself, else null.
const nlohmann::json* object_in(const nlohmann::json& object, const std::string& key);

std::optional<double> number_in(const nlohmann::json& object, const std::string& key);
std::optional<std::int64_t> count_in(const nlohmann::json& object, const std::string& key);
std::optional<bool> flag_in(const nlohmann::json& object, const std::string& key);
std::optional<std::string> text_in(const nlohmann::json& object, const std::string& key);

/// "probs" and "binedges" of an object; empty where they do not fit together, or are more bins than
/// kMaxBins (SageMaker writes 100).
inline constexpr std::size_t kMaxBins = 1000;
result::Histogram histogram_in(const nlohmann::json& object);

} // namespace debrief::sagemaker_figures
