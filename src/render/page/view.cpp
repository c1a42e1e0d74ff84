#include "render/page/view.h"

#include "render/page/head.h"
#include "render/page/verdict.h"
#include "render/parts/quality_words.h"
#include "render/sections/batch_size.h"
#include "render/sections/bottlenecks.h"
#include "render/sections/data_loading.h"
#include "render/sections/data_quality.h"
#include "render/sections/findings.h"
#include "render/sections/framework.h"
#include "render/sections/gate.h"
#include "render/sections/gpu.h"
#include "render/sections/job.h"
#include "render/sections/load_balance.h"
#include "render/sections/operators.h"
#include "render/sections/provenance.h"
#include "render/sections/rules.h"
#include "render/sections/steps.h"
#include "render/sections/system_usage.h"
#include "render/sections/time_accounting.h"
#include "render/sections/timeline.h"
#include "render/sections/trace/allocator.h"
#include "render/sections/trace/annotations.h"
#include "render/sections/trace/communication.h"
#include "render/sections/trace/gpu_activity.h"
#include "render/sections/trace/one_step.h"
#include "render/sections/trace/step_breakdown.h"
#include "util/text.h"

namespace debrief::render {

using nlohmann::json;

json make_view(const result::Result& result) {
  json view;
  view["title"] = printable(result.job.name);
  view["verdict"] = verdict_view(result);
  view["keys"] = keys_view(result);
  const std::string notice = quality_notice(result.data_quality);
  view["notice"] =
      notice.empty() ? json(nullptr) : json(notice); // an empty text would count as one
  view["facts"] = facts_view(result.job);
  view["gate"] = gate_view(result.gate);
  view["timeline"] = timeline_view(result);
  view["job"] = job_view(result.job);
  view["accounting"] = accounting_view(result.time_accounting);
  view["usage"] = usage_view(result);
  view["framework"] = framework_view(result.framework);
  view["cpu_operators"] = operators_view(result, "CPU");
  view["gpu_operators"] = operators_view(result, "GPU");
  view["step_breakdown"] = breakdown_view(result.traces);
  view["gpu_activity"] = activity_view(result.traces);
  view["communication"] = communication_view(result.traces);
  view["allocator"] = allocator_view(result.traces);
  view["annotations"] = annotations_view(result.traces);
  view["one_step"] = one_step_view(result.traces);
  view["rules"] = rules_view(result.rules);
  view["steps"] = steps_view(result);
  view["gpu_utilization"] = gpu_utilization_view(result);
  view["balance"] = balance_view(result);
  view["loading"] = loading_view(result);
  view["batch"] = batch_view(result);
  view["cpu_bottlenecks"] = bottleneck_view(result, "CPU");
  view["io_bottlenecks"] = bottleneck_view(result, "I/O");
  view["gpu_memory"] = gpu_memory_view(result);
  view["quality"] = quality_view(result);
  view["provenance"] = provenance_view(result.provenance);
  view["findings"] = findings_view(result, view);
  view["nav"] = nav_view(result, view);
  return view;
}

} // namespace debrief::render
