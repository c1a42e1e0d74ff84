#include "aggregate/timeline.h"

namespace debrief {

result::Timeline timeline(const Job& job, const result::JobSummary& summary,
                          std::span<const StepSeries> steps) {
  static_cast<void>(job);
  static_cast<void>(summary);
  static_cast<void>(steps);
  return {};
}

} // namespace debrief
