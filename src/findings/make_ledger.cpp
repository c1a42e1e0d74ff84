#include "findings/make_ledger.h"

namespace debrief::findings {

Ledger make_ledger(const result::Result& result, const Loop& loop,
                   std::span<const ProcessTime> processes) {
  if (Ledger ledger = sampled_ledger(result, loop, processes); ledger.basis != Basis::none)
    return ledger;
  if (Ledger ledger = traced_ledger(result); ledger.basis != Basis::none) return ledger;
  if (Ledger ledger = recorded_ledger(result); ledger.basis != Basis::none) return ledger;
  if (Ledger ledger = step_ledger(result, loop, processes); ledger.basis != Basis::none)
    return ledger;
  return core_ledger(result);
}

} // namespace debrief::findings
