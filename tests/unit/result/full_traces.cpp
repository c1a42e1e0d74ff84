#include "result/full_result.h"
#include "support.h"

namespace debrief::test {

namespace {

const std::string kProcess = "algo-1-0";

std::vector<result::StepPart> parts(std::initializer_list<double> times, double whole) {
  std::vector<result::StepPart> out;
  const char* const* name = result::kStepParts;
  for (const double us : times)
    out.push_back({*name++, us, 100 * us / whole});
  return out;
}

result::TraceFile file() {
  return {.path = "traces/rank0.pt.trace.json.gz",
          .process = kProcess,
          .node = "algo-1",
          .rank = 0,
          .world_size = 2,
          .backend = "nccl",
          .span = TimeSpan{at(20), at(20.001)},
          .duration_us = 1000,
          .steps = 2,
          .gpus = {{.id = 0,
                    .name = "NVIDIA H200",
                    .memory = 150'000'000'000,
                    .multiprocessors = 132,
                    .compute_capability = "9.0"}},
          .categories = {{"X cpu_op", 8}, {"X kernel", 6}},
          .not_recorded = {"stacks"}};
}

result::TraceOperators operators() {
  const result::TraceOperator mm{.name = "aten::mm",
                                 .shapes = "",
                                 .calls = 4,
                                 .host_total_us = 100,
                                 .host_self_us = 100,
                                 .device_total_us = 400,
                                 .device_self_us = 400,
                                 .tensor_core_eligible = true,
                                 .tensor_core_us = 300,
                                 .category = result::WorkCategory::gemm};
  const result::TraceOperator linear{.name = "aten::linear",
                                     .shapes = "",
                                     .calls = 4,
                                     .host_total_us = 180,
                                     .host_self_us = 80,
                                     .device_total_us = 400,
                                     .category = std::nullopt};
  result::TraceOperators out;
  out.by_name = {mm, linear};
  out.by_shapes = {mm, linear};
  out.by_shapes[0].shapes = "[8, 16] [16, 4]";
  out.names = 2;
  out.names_and_shapes = 2;
  out.calls = 8;
  out.host_total_us = 280;
  out.host_self_us = 180;
  out.backward_calls = 2;
  out.backward_host_us = 90;
  out.device_self_us = 400;
  out.eligible_device_us = 400;
  out.tensor_core_us = 300;
  out.categories = {{result::WorkCategory::gemm, 4, 300, 75},
                    {result::WorkCategory::communication, 2, 100, 25}};
  return out;
}

result::Performance performance() {
  result::Performance out;
  out.rows = {{.name = "aten::mm",
               .shapes = "[8, 16] [16, 4]",
               .gpu = "NVIDIA H200",
               .category = result::WorkCategory::gemm,
               .precision = "bf16",
               .calls = 4,
               .us = 300,
               .percent = 75,
               .product = result::MatrixProduct{1, 8, 4, 16},
               .flops = 1024,
               .bytes = 448,
               .tflops_per_second = 0.000013653,
               .tb_per_second = 0.000005973,
               .intensity = 2.285714,
               .peak_percent = 0.000001,
               .bandwidth_percent = 0.000124,
               .roof = result::Roof::memory},
              {.name = "aten::add",
               .shapes = "[2] [2] []",
               .gpu = "NVIDIA H200",
               .category = result::WorkCategory::elementwise,
               .precision = "",
               .calls = 1,
               .us = 2,
               .percent = 0.5,
               .product = std::nullopt,
               .flops = 2,
               .bytes = std::nullopt,
               .tflops_per_second = std::nullopt,
               .tb_per_second = std::nullopt,
               .intensity = std::nullopt,
               .peak_percent = std::nullopt,
               .bandwidth_percent = std::nullopt,
               .roof = std::nullopt}};
  out.combinations = 2;
  out.known_us = 302;
  out.without_shapes_us = 40;
  out.without_formula_us = 50;
  out.outside_us = 8;
  out.gpus = {{"NVIDIA H200", "H200 SXM", {{"bf16", 989.5}, {"fp8", 1979}}, 4.8},
              {"Made up", "", {}, std::nullopt}};
  out.steps = {{.process = kProcess,
                .number = 7,
                .us = 600,
                .flops = 4096,
                .precision = "bf16",
                .gpus = 1,
                .known_percent = 95.5,
                .utilization = 0.25}};
  out.utilization = 0.25;
  return out;
}

result::Kernels kernels() {
  result::Kernels out;
  out.rows = {{.name = "void gemm<__nv_bfloat16>(int)",
               .short_name = "gemm",
               .op = "aten::mm",
               .calls = 4,
               .total_us = 400,
               .mean_us = 100,
               .min_us = 90,
               .max_us = 110,
               .percent = 80,
               .grid = {{64, 1, 1}},
               .block = {{128, 1, 1}},
               .launch_shapes = 2,
               .occupancy = 37.5,
               .blocks_per_sm = 0.5,
               .streams = {{0, 7}},
               .precision = "bf16",
               .tensor_cores = true,
               .category = result::WorkCategory::gemm},
              {.name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevComm*)",
               .short_name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
               .op = "c10d::allreduce_",
               .calls = 2,
               .total_us = 100,
               .mean_us = 50,
               .min_us = 40,
               .max_us = 60,
               .percent = 20,
               .grid = {{8, 1, 1}},
               .block = {{256, 1, 1}},
               .launch_shapes = 1,
               .occupancy = 12.5,
               .blocks_per_sm = 0.06,
               .streams = {{0, 20}},
               .precision = "fp32",
               .tensor_cores = std::nullopt,
               .communication = true,
               .category = result::WorkCategory::communication}};
  out.names = 2;
  out.calls = 6;
  out.total_us = 500;
  out.precision = {{"bf16", 4, 400, 100}};
  return out;
}

result::Communication communication() {
  result::Communication out;
  out.collectives = {{.process = kProcess,
                      .name = "all_reduce",
                      .where = "GPU",
                      .dtype = "Float",
                      .bytes = 1'000'000,
                      .calls = 2,
                      .total_us = 100,
                      .mean_us = 50,
                      .min_us = 40,
                      .max_us = 60,
                      .ranks = 2,
                      .transfer_us = 45.5,
                      .bandwidth = 20.0,
                      .bus_bandwidth = 20.0}};
  out.overlap = {{.process = kProcess,
                  .rank = 0,
                  .profiled_us = 1000,
                  .compute_us = 540,
                  .communication_us = 100,
                  .hidden_us = 20,
                  .exposed_us = 80,
                  .overlap_percent = 20.0}};
  out.stragglers = {{.process = kProcess,
                     .rank = 0,
                     .collectives = 2,
                     .last = 1,
                     .lateness_us = 12.5,
                     .waited_us = 7.25,
                     .clock_offset_us = -2500.5}};
  out.skew_us = 16.125;
  out.wait_percent = 12.5;
  out.missing_ranks = {1};
  out.missing_count = 1;
  return out;
}

result::DeviceMemory memory() {
  return {.process = kProcess,
          .device = "GPU 0",
          .capacity = 150'000'000'000,
          .times = {at(20), at(20.0004), at(20.001)},
          .allocated = {1'000'000, 5'000'000, 2'000'000},
          .reserved = {8'000'000, 8'000'000, 8'000'000},
          .events = 40,
          .peak_allocated = 5'000'000,
          .peak_reserved = 8'000'000,
          .peak_time = at(20.0004),
          .before_trace = 1'000'000,
          .holders = {{"aten::empty", "aten::linear", 3'000'000, 3}, {"", "", 1'000'000, 1}},
          .growth_per_step = 1024.5,
          .by_category = {{at(20), at(20.0004), at(20.001)},
                          {{1'000'000, 1'000'000, 1'000'000},
                           {0, 500'000, 1'000'000},
                           {0, 3'000'000, 0},
                           {0, 500'000, 0}}}};
}

/// Of the second step.
result::CriticalPath path() {
  result::CriticalPath out{
      .which = "slowest", .process = kProcess, .number = 4, .us = 600, .parts = {}, .items = {}};
  for (const char* part : result::kPathParts) {
    out.parts.push_back({.part = part, .us = 60, .percent = 10, .gain_us = 30});
    out.items.push_back({.name = "aten::mm", .part = part, .count = 2, .us = 60, .percent = 10});
  }
  return out;
}

} // namespace

result::Traces full_traces() {
  result::Traces out;
  out.files = {file()};
  out.steps = {{.process = kProcess,
                .number = 3,
                .start = at(20),
                .us = 400,
                .gpu_busy_us = 300,
                .parts = parts({240, 30, 10, 20, 40, 20, 30, 10}, 400),
                .phase = result::StepPhase::decode,
                .tokens = 32,
                .waited_us = 12.5},
               {.process = kProcess,
                .number = 4,
                .start = at(20.0004),
                .us = 600,
                .gpu_busy_us = 420,
                .parts = parts({300, 60, 0, 60, 60, 60, 30, 30}, 600),
                .phase = std::nullopt,
                .tokens = std::nullopt,
                .waited_us = std::nullopt}};
  out.processes = {{.process = kProcess,
                    .steps = 2,
                    .us = 1000,
                    .gpu_busy_us = 720,
                    .parts = parts({540, 90, 10, 80, 100, 80, 60, 40}, 1000)}};
  out.slowest = {{.part = "step", .process = kProcess, .rank = 0, .us = 500, .median_us = 450}};
  out.critical_paths = {path()};
  out.recomputation = {
      {.process = kProcess, .operators = 4, .host_us = 20, .kernel_us = 60, .kernel_percent = 10}};
  out.graphs = {.launches = 2,
                .captures = 1,
                .work = 6,
                .us = 80,
                .mapped_us = 60,
                .operators = {{.op = "aten::mm", .work = 4, .us = 60, .percent = 75}}};
  out.operators = operators();
  out.kernels = kernels();
  out.performance = performance();
  out.gpus = {{.process = kProcess,
               .device = 0,
               .gpu = "NVIDIA H200",
               .profiled_us = 1000,
               .busy_us = 720,
               .kernel_us = 540,
               .communication_us = 100,
               .memory_us = 100,
               .copy_us = 90,
               .copy_alone_us = 70,
               .streams = 2,
               .sm_efficiency = 40.5,
               .occupancy = 32.5,
               .idle_us = 280,
               .host_wait_us = 200,
               .kernel_wait_us = 5,
               .other_wait_us = 75,
               .setup_wait_us = 5,
               .copy_wait_us = 15,
               .host_sync_us = 25,
               .outside_wait_us = 35}};
  out.copies = {{.process = kProcess,
                 .direction = "Host to device",
                 .memory = "Pinned to device",
                 .calls = 2,
                 .us = 90,
                 .bytes = 1'800'000,
                 .bandwidth = 20.0}};
  out.launches = {{.process = kProcess,
                   .launches = 6,
                   .launch_p50_us = 5.5,
                   .launch_p95_us = 9.25,
                   .delay_p50_us = 20,
                   .delay_p95_us = 80,
                   .delay_max_us = 95.5,
                   .short_kernels = 1,
                   .queue_max = 3,
                   .without_launch = 1}};
  out.syncs = {{.process = kProcess,
                .call = "cudaStreamSynchronize",
                .op = "aten::item",
                .outer = "train_step",
                .calls = 2,
                .us = 60}};
  out.blocking_copies = {{.process = kProcess,
                          .call = "cudaMemcpyAsync",
                          .op = "aten::copy_",
                          .outer = "train_step",
                          .calls = 2,
                          .us = 80}};
  out.setup = {{.process = kProcess,
                .call = "cuModuleLoadData",
                .op = "aten::mm",
                .outer = "train_step",
                .calls = 1,
                .us = 30}};
  out.communication = communication();
  out.memory = {memory()};
  out.annotations = {{.process = kProcess,
                      .name = "train_step",
                      .count = 2,
                      .total_us = 900,
                      .mean_us = 450,
                      .min_us = 350,
                      .max_us = 550,
                      .gpu_us = 700.0,
                      .histogram = {{350, 450, 550}, {1, 1}}}};
  out.modules = {{.name = "Linear_0",
                  .calls = 2,
                  .host_total_us = 200,
                  .host_self_us = 150,
                  .device_total_us = 400,
                  .device_self_us = 300}};
  return out;
}

} // namespace debrief::test
