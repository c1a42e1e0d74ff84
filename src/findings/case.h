// What a kind of finding looks at: the ledger, and the figures of the result that explain it.
#pragma once

#include "findings/ledger.h"
#include "findings/loop.h"
#include "findings/process_time.h"
#include "result/result.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>

namespace debrief::findings {

struct Case {
  const result::Result& result;
  const Ledger& ledger;
  const Loop& loop;
  std::span<const ProcessTime> processes;

  /// Whether events tell what processes did, other than in a few profiled steps.
  bool events_known() const;
};

/// Of all processes and modes.
std::int64_t step_count(const result::Result& result);

/// A finding of a cause's cost, with what all of them share: score, severity, confidence, windows,
/// places. Nothing where it costs too little to be named.
std::optional<result::Finding> cost_finding(const Case& of, Cause cause, const char* kind);

/// Keeps the longest of the windows and counts all.
void set_windows(std::vector<TimeSpan> windows, result::Finding& finding);

/// "1,310 samples, 1,921 steps": what the figures rest on.
std::string ground_of(const Case& of);

} // namespace debrief::findings
