// The numbers that a reader sees first, out of what was found about the job.
#pragma once

#include "aggregate/steps.h"
#include "findings/diagnosis_context.h"
#include "result/headline.h"

#include <span>

namespace debrief::findings {

result::Headline headline_of(const DiagnosisContext& ctx,
                             std::span<const aggregate::StepSeries> steps);

} // namespace debrief::findings
