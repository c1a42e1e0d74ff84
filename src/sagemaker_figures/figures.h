// The result's figures out of SageMaker's rule outputs, for a job that has nothing else. They are
// SageMaker's numbers, errors included; the result says so.
#pragma once

#include "job/job.h"
#include "result/result.h"

#include <vector>

namespace debrief::sagemaker_figures {

/// OverallSystemUsage.
std::vector<result::UsageRow> recorded_usage(const job::Job& job);

/// LowGPUUtilization, BatchSize, GPUMemoryIncrease and LoadBalancing, as far as they go: boxes are
/// only of devices that violated a rule.
std::vector<result::DeviceRow> recorded_devices(const job::Job& job);

/// OverallFrameworkMetrics.
result::Framework recorded_framework(const job::Job& job);

/// StepOutlier: per process the mode that was evaluated last.
std::vector<result::StepRow> recorded_steps(const job::Job& job);

/// Dataloader.
result::DataLoading recorded_data_loading(const job::Job& job);

/// MaxInitializationTime: the job's span and the first step, where these are not known yet.
void recorded_times(const job::Job& job, result::JobSummary& summary);

} // namespace debrief::sagemaker_figures
