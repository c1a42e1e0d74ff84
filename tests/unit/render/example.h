// A result with something in every section of the page: two nodes, three GPUs, two processes.
#pragma once

#include "result/result.h"

#include <string>

namespace debrief {

/// Names of the job that must never become markup.
inline const std::string kEvil =
    "</title></script><script>alert(1)</script>\"><img src=x onerror=alert(1)>{{ 7*7 }}\u202e\n";

/// What `kEvil` looks like on the page, where text is escaped once.
inline const std::string kEvilShown =
    "&lt;/title&gt;&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;&quot;&gt;&lt;img src=x "
    "onerror=alert(1)&gt;{{ 7*7 }}\\u{202e}\\n";

inline result::DeviceRow example_device(const std::string& node, const std::string& device,
                                        const std::string& metric, double p50) {
  result::DeviceRow row;
  row.node = node;
  row.device = device;
  row.metric = *result::from_text<result::Metric>(metric);
  row.samples = 1310;
  row.mean = p50 - 2;
  row.min = 0;
  row.p05 = p50 - 20;
  row.p25 = p50 - 5;
  row.p50 = p50;
  row.p75 = p50 + 3;
  row.p95 = p50 + 4;
  row.max = p50 + 10;
  row.lower = p50 - 17;
  row.upper = p50 + 10;
  return row;
}

inline result::RuleRow example_rule(const std::string& name, result::RuleStatus status) {
  result::RuleRow rule;
  rule.rule = name;
  rule.description = "Looks for what " + name + " looks for";
  rule.recommendation = "Do something about it";
  rule.status = status;
  rule.datapoints = 1310;
  rule.parameters = {{"threshold", "50"}, {"patience", "1000"}};
  if (status == result::RuleStatus::issue_found) {
    rule.triggered = 4;
    rule.violations = 12;
  }
  return rule;
}

inline result::Activity example_activity() {
  result::Activity activity;
  activity.inside_seconds = 2.5;
  activity.outside_seconds = 90;
  activity.rows = {{"phase", "TRAIN", 2.5, 100, 97}, {"general", "checkpoint", 1.2, 48, 0.5}};
  return activity;
}

/// `name` is every name that comes from the job, where it is given.
inline result::Result example_result(const std::string& name = "") {
  using result::RuleStatus;
  const auto named = [&](const char* usual) { return name.empty() ? usual : name; };
  const std::string node = named("algo-1");
  const std::string process = named("algo-1-27");
  result::Result out;
  out.job.name = named("resnet50");
  out.job.span = TimeSpan{1'700'000'000'000'000, 1'700'000'100'000'000};
  out.job.training_loop_start = 1'700'000'010'000'000;
  out.job.training_loop_end = 1'700'000'095'000'000;
  out.time_accounting = {100,
                         {{{result::PhaseKind::initialization}, 10, 10},
                          {{result::PhaseKind::steps, named("TRAIN")}, 80, 80},
                          {{result::PhaseKind::between_steps}, 5, 5},
                          {{result::PhaseKind::finalization}, 5, 5}}};
  out.system_usage.push_back({node, result::Metric::gpu, "%", 100, 99.5, 93.25, 90, 0, 1310});
  out.devices = {example_device(node, "cpu", "CPU", 20),
                 example_device(node, named("gpu0"), "GPU", 90),
                 example_device(node, named("gpu0"), "GPU memory", 40),
                 example_device("algo-2", "gpu0", "GPU", 30),
                 example_device("algo-2", "gpu0", "GPU memory", 45)};
  out.load_balance = {{{node, named("gpu0"), "algo-2", "gpu0", 0.497}}, 1};

  out.framework.phase = {{process, named("TRAIN"), 94.1, 80.0, 1000},
                         {process, "others", 5.9, 5.0, std::nullopt}};
  out.framework.forward_backward = {{"", "Forward", 35, 28.0, 1000},
                                    {"", "Backward", 65, 52.0, 1000}};
  out.framework.ratio = {{"", "CPU operators", 40, 20.0, std::nullopt},
                         {"", "GPU operators", 60, 30.0, std::nullopt}};
  out.framework.general = {{"", named("DataLoaderIter"), 100, 4.0, 1000}};
  out.framework.collectives = {{"", named("allreduce"), 100, 3.0, 2000}};
  for (int at = 0; at < 30; ++at) {
    const std::string op = at == 0 ? named("aten::conv2d") : "aten::op" + std::to_string(at);
    out.framework.cpu_operators.rows.push_back(
        {op, 10.0 / (at + 1), 4'000'000 / (at + 1), 2'000'000 / (at + 1), 20.0 / (at + 1), 1234});
  }
  out.framework.cpu_operators.count = 600;
  out.framework.gpu_operators = {
      {{named("void kernel<float>"), 100, 30'000'000, 30'000'000, 100, 7}}, 1};

  result::StepRow steps;
  steps.process = process;
  steps.mode = named("TRAIN");
  steps.count = 1000;
  steps.total = 80;
  steps.mean = 0.08;
  steps.max = 1.9;
  steps.p99 = 0.09;
  steps.p95 = 0.085;
  steps.p50 = 0.079;
  steps.min = 0.07;
  steps.first = 1.9;
  steps.stddev = 0.004;
  steps.threshold = 0.092;
  steps.outliers = 2;
  steps.outlying = {{503, 1'700'000'050'000'000, 0.4}, {700, 1'700'000'070'000'000, 0.3}};
  out.steps = {steps};

  out.data_loading.num_workers = 2;
  out.data_loading.cores = 16;
  out.data_loading.pin_memory = false;
  out.data_loading.initializations = 3;
  out.data_loading.times = {
      {result::LoadKind::get_next, 1000, 0.2, 0.1, 0.15, 0.19, 0.31, 0.9, 4, {}}};

  for (const char* rule : {"LowGPUUtilization", "CPUBottleneck"})
    out.rules.push_back(example_rule(rule, RuleStatus::issue_found));
  for (const char* rule : {"LoadBalancing", "BatchSize", "IOBottleneck", "StepOutlier",
                           "Dataloader", "GPUMemoryIncrease"})
    out.rules.push_back(example_rule(rule, RuleStatus::no_issue));
  out.rules.push_back(example_rule("MaxInitializationTime", RuleStatus::not_evaluated));
  out.rules[0].devices = {{node, named("gpu0"), {{"windows_low", 4}}},
                          {"algo-2", "gpu0", {{"windows_low", 0}}}};
  out.rules[0].incidents = {
      {node, named("gpu0"), {1'700'000'020'000'000, 1'700'000'030'000'000}, "low"}};
  out.rules[0].incident_count = 1;
  out.rules[0].incident_seconds = 10;
  out.rules[0].clock_seconds = 10;
  out.rules[1].parts = {
      {"GPU busy", 1000, 76.34}, {"CPU bottleneck", 12, 0.92}, {"GPU low, CPU free", 298, 22.75}};
  out.rules[1].activity = example_activity();
  out.rules[1].activity.rows[1].name = named("checkpoint");
  out.rules[5].activity = example_activity();
  out.rules[6].parameters = {{"min_threshold", "70"}, {"max_threshold", "200"}};
  out.rules[8].reason = named("no step was recorded");

  out.provenance.version = "1.2.3";
  out.provenance.parameters = {{"BatchSize_window", "100"}};
  out.provenance.ignored_parameters = {
      {named("BatchSize_windw"), named("10"), named("no such parameter")}};
  return out;
}

} // namespace debrief
