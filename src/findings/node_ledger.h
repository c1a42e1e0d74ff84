// The ledger of one node that sampled its GPUs. Each sample stands for the time since the one
// before it; what of that time a GPU did not work is given to the causes that its node shows
// meanwhile.
#pragma once

#include "findings/ledger.h"
#include "findings/loop.h"
#include "findings/loop_shares.h"
#include "findings/process_time.h"
#include "result/result.h"

#include <array>
#include <span>
#include <vector>

namespace debrief::findings {

/// What all nodes share.
struct LedgerInput {
  const result::Result& result;
  const Loop& loop;
  std::span<const ProcessTime> processes;
  LoopShares shares;
  double least_lost = 0; ///< share of the loop that the busiest GPU of the job did not work
};

struct NodeLedger {
  std::vector<Account> accounts;
  std::array<std::vector<TimeSpan>, kCauses> windows;
};

NodeLedger node_ledger(const LedgerInput& input, const result::NodeTimeline& node);

} // namespace debrief::findings
