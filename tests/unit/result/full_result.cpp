#include "result/full_result.h"

#include "support.h"

namespace debrief::test {

namespace {

result::JobSummary job() {
  return {
      .name = "job",
      .span = TimeSpan{at(0), at(100)},
      .training_loop_start = at(10),
      .training_loop_end = at(95),
      .nodes = {{.name = "algo-1", .cores = 16, .gpus = 2}},
      .processes = {"algo-1-27"},
      .recorder = "debrief 0.1.0",
      .framework = "PyTorch",
      .instance_type = "ml.g5.12xlarge",
      .instance_count = 1,
      .status = "Completed",
      .failure =
          result::Failure{.type = "ValueError",
                          .message = "on purpose",
                          .frames = {{"train.py", 12, "main", false},
                                     {"torch/nn/modules/module.py", 1501, "_call_impl", true}},
                          .time = at(94),
                          .node = "algo-1",
                          .process = 27,
                          .rank = 0,
                          .step = 17,
                          .exit_code = 1,
                          .signal = 6,
                          .processes = 2},
      .described_start = at(-5),
      .described_end = at(105),
      .hyperparameters = {{"epochs", "3"}},
      .gpu_energy_kwh = 1.25,
      .gpu_energy_cost = 0.375,
      .actions = {{at(90), "idle_gpus for 10min", "stop", "No GPU worked for 10 min.", "done"}}};
}

result::DeviceRow device() {
  return {.node = "algo-1",
          .device = "gpu0",
          .metric = result::Metric::gpu,
          .samples = 10,
          .mean = 55.5,
          .min = 0.25,
          .p05 = 2.25,
          .p25 = 60.0,
          .p50 = 70.0,
          .p75 = 80.0,
          .p95 = 97.7500004,
          .max = 100.0,
          .lower = 30.0,
          .upper = 99.5,
          .histogram = {{0, 50, 100}, {3, 7}}};
}

result::Framework framework() {
  result::Framework out;
  out.phase = {{"algo-1-27", "TRAIN", 70.5, 70.5, 11}, {"algo-1-27", "others", 29.5, 29.5, 12}};
  out.forward_backward = {{"", "forward", 40, 4.0, 11}, {"", "backward", 60, 6.0, 11}};
  out.ratio = {{"", "CPU", 25, 1.0, 100}, {"", "GPU", 75, 3.0, 50}};
  out.general = {{"", "DataLoaderIter", 100, 2.0, 11}};
  out.collectives = {{"", "allreduce", 100, 0.5, 11}};
  out.cpu_operators.rows = {{"aten::_convolution", 100 * 9.0 / 19, 900, 900, 90.0, 5},
                            {"aten::conv2d", 100 * 10.0 / 19, 1000, 100, 10.0, 5}};
  out.cpu_operators.count = 2;
  out.gpu_operators.rows = {{"sgemm", 100, 3'000'000, 3'000'000, 100.0, 50}};
  out.gpu_operators.count = 1;
  out.operator_source = result::kFromTimelines;
  return out;
}

result::StepRow steps() {
  return {.process = "algo-1-27",
          .mode = "TRAIN",
          .source = result::kFromTimelines,
          .count = 11,
          .total = 10.0,
          .mean = 10.0 / 11,
          .max = 3,
          .p99 = 2.95,
          .p95 = 2.75,
          .p50 = 0.5,
          .min = 0.5,
          .first = 2.5,
          .stddev = 0.75,
          .threshold = 2.8,
          .outliers = 1,
          .outlying = {{.number = 7, .start = at(40), .seconds = 3.0}},
          .block_medians = {0.5, 0.5, 0.75, 0.5},
          .histogram = {{0.5, 1.5, 2.5}, {9, 1}}};
}

result::Curves curves() {
  result::Curve loss;
  loss.name = "train/loss";
  loss.source = "TensorBoard";
  loss.topic = result::CurveTopic::loss;
  loss.split = result::CurveSplit::train;
  loss.count = 4;
  loss.first_step = 10;
  loss.last_step = 40;
  loss.first = 4.125;
  loss.last = 2.5;
  loss.min = 2.5;
  loss.max = 4.125;
  loss.min_step = 30;
  loss.max_step = 10;
  loss.not_finite = 1;
  loss.first_not_finite = 20;
  loss.steps = {10, 20, 30, 40};
  loss.seconds = {11, 21.5, 32, 42.5};
  loss.values = {4.125, std::nullopt, 2.5, 2.5};
  return {{loss}, 2, {40, 0.95, 61.5, 31488, 50, 10, 20, 2, 2.5, 5, 3, 1.5e12, 0.03, 1.5, "bf16"}};
}

result::Xgboost xgboost() {
  result::Xgboost out;
  out.problem = result::ProblemType::binary;
  out.objective = "binary:logistic";
  out.gaps = {result::XgboostGap::not_finite};
  out.model = {"model.json", "3.2.0", "gbtree", 3, 3, 2, 4, 2, 5, 8, {0, 1, 2}};
  out.loss = "logloss";
  out.losses = {{"train", "train-logloss", 0.625, 0.25, 0.125, 7, 9}};
  out.importance_source = "model.json";
  out.importance_round = 9;
  out.importance = {{"f0", 4, 2.5, 10, 10, 40}, {"f1", 1, 1e-8, 2, 1e-8, 2}};
  out.features_left_out = 1;
  out.round = 9;
  out.rows = 10;
  out.rows_left_out = 1;
  out.workers = 2;
  out.saved_rounds = 2;
  out.rounds = {0, 9};
  out.labels = {10, 0.5, 0.5, 0.0, 0, 0, 0.5, 1, 1, {{0, 0.5, 1}, {5, 5}}};
  out.classification.classes = {{0, 5, 6, 5, 0.833333, 1, 0.909091},
                                {1, 5, 4, 4, 1, 0.8, 0.888889}};
  out.classification.matrix = {{5, 0}, {1, 4}};
  out.classification.mistakes = {{1, 0, 1}};
  out.classification.accuracy = 0.9;
  out.classification.micro = {0.9, 0.9, 0.9};
  out.classification.macro = {0.916667, 0.9, 0.89899};
  out.classification.weighted = {0.916667, 0.9, 0.89899};
  out.classification.over_rounds = {{0, {0.6, 1}}, {1, {std::nullopt, 0.8}}};
  out.roc = {0.96, 5, 5, {0.5, 0, 0.8}, {0.25, 0.2, 1}, {{std::nullopt, 0, 0}, {0.125, 1, 1}}};
  out.regression.rmse = 0.5;
  out.regression.mae = 0.25;
  out.regression.r2 = 0.75;
  out.regression.residuals = {10, 0.0, 0.5, 0.125, -1, -1, 0, 1, 1, {{-1, 0, 1}, {4, 6}}};
  out.regression.bins = {{0.0, 0.5, 10, {0.75, 0.25}}};
  return out;
}

result::DataLoading data_loading() {
  result::DataLoading out;
  out.num_workers = 4;
  out.batch_size = 64;
  out.cores = 16;
  out.pin_memory = true;
  out.prefetch = false;
  out.loaders = 3;
  out.initializations = 1;
  out.times = {{.what = result::LoadKind::load,
                .count = 4,
                .mean = 0.25,
                .min = 0.1,
                .p25 = 0.175,
                .p50 = 0.2,
                .p95 = 0.455,
                .max = 0.5,
                .outliers = 1,
                .histogram = {{0.1, 0.3, 0.5}, {3, 1}}}};
  out.source = result::kFromTraces;
  return out;
}

std::vector<result::RuleRow> rules() {
  result::RuleRow low;
  low.rule = "LowGPUUtilization";
  low.description = "GPUs that are little used";
  low.recommendation = "Use a smaller instance";
  low.status = result::RuleStatus::issue_found;
  low.reason = "gpu1 has too few samples";
  low.triggered = 2;
  low.violations = 2;
  low.datapoints = 1000;
  low.parameters = {{"threshold_p95", "70"}, {"patience", "1000"}};
  low.incidents = {{"algo-1", "gpu0", {at(20), at(50)}, "low"},
                   {"algo-1", "", {at(60), at(60)}, ""}};
  low.incident_count = 2;
  low.incident_seconds = 30;
  low.clock_seconds = 30;
  low.explained_by = "input_bound";
  low.devices = {{"algo-1", "gpu0", {{"windows_low", 2}, {"p95", 12.5}}}};
  low.parts = {{"low", 250, 25}, {"good", 750, 75}};
  low.activity = {30, 55, {}, {{"cpu_operator", "aten::conv2d", 45, 150, 20}}};
  low.details = {{"algo-1", "left out"}};
  result::RuleRow fine;
  fine.rule = "LoadBalancing";
  fine.status = result::RuleStatus::no_issue;
  fine.recorded_by_sagemaker = true;
  result::RuleRow skipped;
  skipped.rule = "Dataloader";
  skipped.reason = "no data loader was recorded";
  return {low, fine, skipped};
}

result::Finding finding() {
  return {.kind = result::FindingKind::input_bound,
          .severity = result::Severity::critical,
          .score = 2.0 / 7, // of what was measured
          .confidence = result::Confidence::high,
          .ground = "200 samples, 11 steps",
          .title = "The GPUs wait for data",
          .why = "A quarter of the GPU time goes by while a process waits for its next batch.",
          .next = "Set num_workers=8 (now 4).",
          .actions = {"Set num_workers=8 (now 4)."},
          .evidence = {{"cores", 16, ""}, {"time waiting for data", 25, "s"}},
          .windows = {{at(20), at(45)}},
          .window_count = 1,
          .window_seconds = 25,
          .where = {{"algo-1", "gpu0", "algo-1-27", 0.25}},
          .line = result::CodeLine{"load", "data.py", 9, 0.75}};
}

/// 200 GPU-seconds in all bins together, as waste() has them.
result::WasteOverTime over_time() {
  return {.span = {at(0), at(100)},
          .bin_seconds = 50,
          .busy = {40, 60},
          .lost = {{result::Cause::input, {30, 20}}, {result::Cause::unexplained, {15, 10}}},
          .set_aside = {10, 0},
          .unmeasured = {5, 10}};
}

/// Two GPUs for 100 seconds.
result::Waste waste() {
  const double hour = 200.0 / 3600;
  return {.unit = result::WasteUnit::gpu_hours,
          .basis = "GPU utilization samples",
          .paid = hour,
          .busy = 0.5 * hour,
          .busy_percent = 50,
          .lost_percent = 37.5,
          .other = 0.125 * hour,
          .set_aside = 0.05 * hour,
          .unmeasured = 0.075 * hour,
          .parts = {{result::FindingKind::input_bound, 0.25 * hour, 25, 0.25 * hour * 3.5}},
          .price = 3.5,
          .causes = {{result::Cause::input, 0.25 * hour, 25, result::FindingKind::input_bound},
                     {result::Cause::unexplained, 0.125 * hour, 12.5, {}}},
          .over_time = over_time(),
          .launch_bound = true};
}

result::Headline headline() {
  return {.busy_in_loop = 62.5,
          .iteration = result::IterationTimes{1.5, 1.25, 2.5, 10, false},
          .step = result::StepTimes{0.5, 2.75},
          .gpu_memory = result::PeakMemory{50, 40'000'000'000, 80'000'000'000},
          .cores_busy = 4.25,
          .cores = 16,
          .startup = 10};
}

result::Gate gate() {
  return {.passed = false,
          .baseline = "job-before",
          .assertions = {{"require", "gpu.p50 >= 80", result::AssertionStatus::failed, ">= 80%",
                          "70%", "gpu.p50 is 70%, and has to be at least 80%.", 70, 80},
                         {"baseline", "steps.train.p50", result::AssertionStatus::skipped, "0.5 s",
                          "0.5 s", "Too few steps to tell a change from noise."},
                         {"fail-on", "step_stalls", result::AssertionStatus::passed, "none", "none",
                          "There is no such finding."}}};
}

result::DataQuality data_quality() {
  result::DataQuality out;
  out.complete = false;
  out.sources = {{"SageMaker system metrics", 2, 100, 900, 12, 10, 0}};
  out.skipped = {{"not JSON", 1, "a.json, line 3"}};
  out.repaired = {{"negative value set to 0", 2, "a.json, line 4"}};
  out.damaged_files = {{"cut off", 1, "b.json"}};
  out.ignored = {{"notes.txt", "not a file of a job"}};
  out.ignored_count = 1;
  out.other_jobs = {{{at(-9000), at(-8000)}, 5, 6}};
  out.nodes = {{.node = "algo-1",
                .span = {at(20), at(70)},
                .samples = 10,
                .interval_p50 = 0.5,
                .interval_min = 0.4,
                .interval_max = 45.0,
                .gaps = {{at(22), at(67)}},
                .gap_count = 1,
                .gap_seconds = 45,
                .unsampled_at_start = 20,
                .unsampled_at_end = 30,
                .less_sampled = {{"gpu1", 7, 40}},
                .less_sampled_count = 1,
                .missing_devices = {"gpu0"},
                .not_recorded = {"Network"}}};
  out.clock_skew = {{"algo-1", -6.5}};
  out.missing_nodes = {"algo-2"};
  out.missing_ranks = {"1"};
  out.described_interval = 0.5;
  out.recorder_notes = {"No steps were marked."};
  return out;
}

} // namespace

result::Result full_result() {
  result::Result out;
  out.job = job();
  out.time_accounting.total = 100;
  out.time_accounting.parts = {
      {{result::PhaseKind::initialization}, 10, 10}, {{result::PhaseKind::steps, "TRAIN"}, 60, 60},
      {{result::PhaseKind::steps, "EVAL"}, 15, 15},  {{result::PhaseKind::between_steps}, 8, 8},
      {{result::PhaseKind::finalization}, 5, 5},     {{result::PhaseKind::unattributed}, 2, 2}};
  out.system_usage = {{"algo-1", result::Metric::network, "B/s", 1e9, 9e8, 5e8, 1e6, 0, 10}};
  out.devices = {device()};
  out.sm_activity = {{"algo-1", "gpu0", 9, 87.5, 12.25, 3.5}};
  out.load_balance = {{{"algo-1", "gpu0", "algo-1", "gpu1", 0.1234567}}, 1};
  out.framework = framework();
  out.steps = {steps()};
  out.curves = curves();
  out.xgboost = xgboost();
  out.model = {{{"VanishingGradient",
                 "mean of absolute values",
                 "below",
                 1e-7,
                 {0, 10},
                 {{"gradient/fc.weight", {3.2e-9, std::nullopt}}},
                 1}},
               {{"weights",
                 "fc.weight",
                 {0, 10},
                 {-1.5, std::nullopt},
                 {0.25, std::nullopt},
                 {2, std::nullopt}}},
               1};
  out.python_stacks = {
      .processes = 2,
      .threads = 3,
      .seconds = 120,
      .waited_seconds = 4.5,
      .interval = 0.04,
      .cost_percent = 0.25,
      .processes_left_out = 1,
      .thread_samples_left_out = 2,
      .frames_left_out = 3,
      .stacks_left_out = 4,
      .full_files = 1,
      .profiles = {
          {.phase = result::PythonPhase::training,
           .threads = result::PythonThreads::main,
           .seconds = 60,
           .functions =
               {{{"encode", "json/encoder.py", 257, result::CodeOrigin::python}, 30, 30, 0},
                {{"book", "train.py", 9}, 20, 50, 45}},
           .function_count = 7}}};
  out.data_loading = data_loading();
  out.traces = full_traces();
  out.rules = rules();
  out.findings = {finding()};
  out.verdict.finding = 0;
  out.waste = waste();
  out.headline = headline();
  out.gate = gate();
  out.data_quality = data_quality();
  out.provenance = {.version = "1.2.3",
                    .input = "job",
                    .parameters = {{"strict", "true"}},
                    .ignored_parameters = {{"BatchSize_window", "many", "it is not a number"}}};
  return out;
}

} // namespace debrief::test
