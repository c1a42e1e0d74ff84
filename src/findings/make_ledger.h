// Makes the ledger out of whatever the job has.
#pragma once

#include "findings/ledger.h"
#include "findings/loop.h"
#include "findings/process_time.h"
#include "result/result.h"

#include <span>

namespace debrief::findings {

/// The best there is: samples, else traces, else SageMaker's figures, else steps, else cores, else
/// the training log;
/// `Basis::none`
/// where nothing tells how the job's time was used.
Ledger make_ledger(const result::Result& result, std::span<const aggregate::NodeSeries> series,
                   const Loop& loop, std::span<const ProcessTime> processes);

// One maker each; an empty ledger where its input is not there.
Ledger sampled_ledger(const result::Result& result, std::span<const aggregate::NodeSeries> series,
                      const Loop& loop, std::span<const ProcessTime> processes);
Ledger traced_ledger(const result::Result& result);
Ledger recorded_ledger(const result::Result& result);
Ledger step_ledger(const result::Result& result, const Loop& loop,
                   std::span<const ProcessTime> processes);

Ledger core_ledger(const result::Result& result, std::span<const aggregate::NodeSeries> series,
                   const Loop& loop);
Ledger logged_ledger(const result::Result& result, const Loop& loop);

/// Moves to `imbalance` what a GPU lost, for no known cause, beyond the one that lost least.
void split_imbalance(std::vector<Account>& accounts);

} // namespace debrief::findings
