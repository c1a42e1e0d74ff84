#include "findings/verdict.h"

#include "findings/detectors/detectors.h"
#include "findings/thresholds.h"
#include "findings/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace debrief::findings {

namespace {

using result::Finding;
using result::Verdict;

Verdict of_finding(const Finding& finding) {
  return {finding.kind,  finding.severity, finding.score, finding.confidence,
          finding.title, finding.why,      finding.next};
}

const char* cause_words(Cause cause) {
  switch (cause) {
  case Cause::idle_gpu:
    return "GPUs that were not used";
  case Cause::start:
    return "the start";
  case Cause::finish:
    return "the finish";
  case Cause::io:
    return "waiting for storage";
  case Cause::cpu:
    return "saturated cores";
  case Cause::input:
    return "waiting for data";
  case Cause::stall:
    return "steps that stalled";
  case Cause::between:
    return "time between steps";
  case Cause::communication:
    return "communication";
  case Cause::imbalance:
    return "uneven work";
  case Cause::unexplained:
    break;
  }
  return "short gaps that nothing explains";
}

/// " 24 % of the job's GPU time is idle (the start 11 %, …), too little of each to act on."
std::string what_is_lost(const Case& of) {
  double idle = 0;
  std::vector<std::string> parts;
  for (std::size_t cause = 0; cause < kCauses; ++cause) {
    const double share = of.ledger.share(static_cast<Cause>(cause));
    idle += share;
    if (share >= thresholds::kWorthNaming)
      parts.push_back(
          fmt::format("{} {}", cause_words(static_cast<Cause>(cause)), words::percent(share)));
  }
  if (parts.empty())
    return fmt::format(" No cause takes {} or more of the job's {}.",
                       words::percent(thresholds::kWorthNaming), words::kind_of_time(of));
  return fmt::format(" {} is idle ({}), too little of each to act on.",
                     words::share_of_job(of, idle), fmt::join(parts, ", "));
}

Verdict healthy(const Case& of) {
  Verdict verdict;
  verdict.kind = "healthy";
  verdict.confidence = of.ledger.basis == Basis::samples && of.events_known()
                           ? result::Confidence::high
                           : result::Confidence::medium;
  const double unmeasured = of.ledger.unmeasured() / of.ledger.paid();
  if (unmeasured > thresholds::kMuchUnmeasured) verdict.confidence = result::Confidence::low;
  verdict.title = "Nothing worth acting on was found";
  const std::string share = words::percent(of.ledger.busy() / of.ledger.paid());
  if (of.ledger.of_gpus())
    verdict.why = words::busy_in_loop(of);
  else if (of.ledger.basis == Basis::steps)
    verdict.why = fmt::format("{} of the job's time lies in its training loop", share);
  else
    verdict.why = fmt::format("The cores worked {} of the job's time", share);
  verdict.why += '.';
  verdict.why += what_is_lost(of);
  if (unmeasured > thresholds::kMuchUnmeasured)
    verdict.why += fmt::format(" {} of the job's {} was not measured.", words::percent(unmeasured),
                               words::kind_of_time(of));
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
  if (has_too_little_data(of))
    return of_finding(*std::find_if(findings.begin(), findings.end(), [](const Finding& finding) {
      return finding.kind == "insufficient_data";
    }));
  return healthy(of);
}

} // namespace debrief::findings
