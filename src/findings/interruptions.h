// How often something stopped the training loop, for how long, and how regularly.
#pragma once

#include "findings/diagnosis_context.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace debrief::findings {

struct Interruptions {
  std::vector<TimeSpan> spans;       ///< by time
  double seconds = 0;                ///< of all
  double usual = 0;                  ///< seconds, median
  double longest = 0;                ///< seconds
  std::optional<double> period = {}; ///< seconds from one to the next, where they come regularly
};

Interruptions interruptions(std::vector<TimeSpan> spans);

/// Those of one kind within the training loop, of the process that lost most to them; without any
/// where no events tell.
Interruptions interruptions(const DiagnosisContext& ctx,
                            std::vector<TimeSpan> ProcessTime::*activity);

/// "16 checkpoints took 45% of the job's GPU time: 1.4 s each (median), one every 2.4 s. A step
/// takes 31 ms." `noun` is of one; `share` as share_of_job() has it.
std::string interruption_words(const DiagnosisContext& ctx, const Interruptions& all,
                               const char* noun, double score);

} // namespace debrief::findings
