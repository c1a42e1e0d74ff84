#include "findings/diagnose.h"

namespace debrief {

void diagnose(const Job&, const WorkKinds&, std::span<const StepSeries>, const DiagnoseOptions&,
              result::Result& result) {
  result.verdict.kind = "insufficient_data";
  result.verdict.title = "Not enough data";
  result.verdict.why = "Nothing was looked at.";
  result.verdict.next = "Nothing.";
}

} // namespace debrief
