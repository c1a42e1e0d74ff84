#include "findings/detectors/phase.h"

#include "findings/thresholds.h"

#include <algorithm>

namespace debrief::findings {

double phase_seconds(const Case& of, Cause cause) {
  double longest = 0;
  for (const Account& account : of.ledger.accounts)
    longest = std::max(longest, account.lost[index_of(cause)]);
  return longest;
}

std::optional<result::Finding> phase_finding(const Case& of, Cause cause, const char* kind) {
  if (phase_seconds(of, cause) < thresholds::kMinPhase) return std::nullopt;
  return cost_finding(of, cause, kind);
}

} // namespace debrief::findings
