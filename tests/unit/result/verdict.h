// What a result's verdict says.
#pragma once

#include "result/result.h"

#include <string>

namespace debrief::test {

/// Empty where there is none.
inline result::VerdictSummary verdict_of(const result::Result& result) {
  return summary_of(result.verdict, result.findings).value_or(result::VerdictSummary{});
}

/// "healthy", "slow_start"; empty where there is no verdict.
inline std::string verdict_name(const result::Result& result) {
  const auto verdict = summary_of(result.verdict, result.findings);
  return verdict ? name_of(*verdict) : "";
}

} // namespace debrief::test
