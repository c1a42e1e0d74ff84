// The training loop stops while Python collects garbage.
#include "findings/detectors/detectors.h"
#include "findings/interruptions.h"

namespace debrief::findings {

std::optional<result::Finding> find_gc_bound(const DiagnosisContext& ctx) {
  auto finding = cost_finding(ctx, result::FindingKind::gc_bound);
  if (!finding) return std::nullopt;
  const Interruptions pauses = interruptions(ctx, &ProcessTime::collecting);
  set_windows(pauses.spans, *finding);
  finding->title = "Python's garbage collection stops training";
  finding->why = interruption_words(ctx, pauses, "collection", finding->score);
  finding->actions = {
      "Call gc.freeze() once setup is done, then gc.disable(), and gc.collect() every few thousand "
      "steps: reference counting frees what has no cycles.",
      "Or keep fewer Python objects: arrays and tensors instead of lists, dicts and objects."};
  finding->evidence.push_back({"collections", static_cast<double>(pauses.spans.size()), ""});
  finding->evidence.push_back({"median collection", pauses.usual, "s"});
  finding->evidence.push_back({"longest collection", pauses.longest, "s"});
  finding->evidence.push_back({"time lost to collections", 100 * finding->score, "%"});
  return finding;
}

} // namespace debrief::findings
