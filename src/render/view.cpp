#include "render/view.h"

#include "render/accounting_view.h"
#include "render/balance_view.h"
#include "render/batch_view.h"
#include "render/bottleneck_view.h"
#include "render/findings_view.h"
#include "render/framework_view.h"
#include "render/gate_view.h"
#include "render/gpu_view.h"
#include "render/head_view.h"
#include "render/job_view.h"
#include "render/loading_view.h"
#include "render/operators_view.h"
#include "render/provenance_view.h"
#include "render/quality_view.h"
#include "render/quality_words.h"
#include "render/rules_view.h"
#include "render/steps_view.h"
#include "render/timeline_view.h"
#include "render/trace/activity_view.h"
#include "render/trace/allocator_view.h"
#include "render/trace/annotations_view.h"
#include "render/trace/breakdown_view.h"
#include "render/trace/communication_view.h"
#include "render/trace/one_step_view.h"
#include "render/usage_view.h"
#include "render/verdict_view.h"
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
