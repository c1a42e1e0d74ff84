// What the report rests on, and what is missing from it.
#pragma once

#include "job/job.h"
#include "result/result.h"

namespace debrief {

result::DataQuality data_quality(const Job& job);

} // namespace debrief
