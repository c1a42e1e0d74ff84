#include "findings/verdict.h"

#include "findings/kinds/kinds.h"
#include "findings/thresholds.h"
#include "findings/words.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief {

namespace {

using result::Finding;
using result::Verdict;

Verdict of_finding(const Finding& finding) {
  return {finding.kind,  finding.severity, finding.score, finding.confidence,
          finding.title, finding.why,      finding.next};
}

Verdict healthy(const Case& of, const std::vector<Finding>& findings) {
  Verdict verdict;
  verdict.kind = "healthy";
  verdict.confidence = of.ledger.basis == Basis::samples && of.events_known()
                           ? result::Confidence::high
                           : result::Confidence::medium;
  verdict.title = "Nothing costs more than a few per cent";
  const bool named = !findings.empty() && findings.front().score > 0;
  const std::string share = words::percent(of.ledger.busy() / of.ledger.paid());
  if (of.ledger.of_gpus())
    verdict.why = words::busy_in_loop(of);
  else if (of.ledger.basis == Basis::steps)
    verdict.why = fmt::format("{} of the job's time lies in its training loop", share);
  else
    verdict.why = fmt::format("The cores worked {} of the job's time", share);
  verdict.why += named ? fmt::format("; the largest loss is '{}' with {}.", findings.front().kind,
                                     words::percent(findings.front().score))
                       : fmt::format(", and no cause takes {} or more.",
                                     words::percent(thresholds::kWorthNaming));
  verdict.next = "Keep this result as a baseline (--json), and let 'debrief check --baseline' "
                 "compare the next job with it.";
  if (of.ledger.of_gpus() && !of.result.traces.empty())
    verdict.next += " To go faster from here, look at the largest kernels.";
  return verdict;
}

} // namespace

Verdict verdict_of(const Case& of, const std::vector<Finding>& findings) {
  const auto act = std::find_if(findings.begin(), findings.end(), [](const Finding& finding) {
    return finding.severity != result::Severity::info;
  });
  if (act != findings.end()) return of_finding(*act);
  if (tells_too_little(of))
    return of_finding(*std::find_if(findings.begin(), findings.end(), [](const Finding& finding) {
      return finding.kind == "insufficient_data";
    }));
  return healthy(of, findings);
}

} // namespace debrief
