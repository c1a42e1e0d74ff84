// The result's figures out of SageMaker's rule outputs, for a job that has nothing else. They are
// SageMaker's numbers, errors included; the result says so.
#pragma once

#include "job/job.h"
#include "result/result.h"

#include <vector>

namespace debrief {

/// OverallSystemUsage.
std::vector<result::UsageRow> recorded_usage(const Job& job);

/// LowGPUUtilization, BatchSize, GPUMemoryIncrease and LoadBalancing, as far as they go: boxes are
/// only of devices that violated a rule.
std::vector<result::DeviceRow> recorded_devices(const Job& job);

/// OverallFrameworkMetrics.
result::Framework recorded_framework(const Job& job);

/// StepOutlier: per process the mode that was evaluated last.
std::vector<result::StepRow> recorded_steps(const Job& job);

/// Dataloader.
result::DataLoading recorded_data_loading(const Job& job);

/// MaxInitializationTime: the job's span and the first step, where these are not known yet.
void recorded_times(const Job& job, result::JobSummary& summary);

} // namespace debrief
