// The rules' makers, one per file of this folder.
#pragma once

#include "rules/rule.h"

namespace debrief::rules {

Rule batch_size_rule();
Rule cpu_bottleneck_rule();
Rule dataloader_rule();
Rule gpu_memory_increase_rule();
Rule io_bottleneck_rule();
Rule load_balancing_rule();
Rule low_gpu_utilization_rule();
Rule max_initialization_time_rule();
Rule overall_framework_metrics_rule();
Rule overall_system_usage_rule();
Rule step_outlier_rule();

} // namespace debrief::rules
