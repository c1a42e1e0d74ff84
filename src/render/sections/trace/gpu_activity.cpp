// What GPUs did while they were profiled, why they were idle, and what the host waited for.
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/parts/share_chart.h"
#include "render/parts/trace_words.h"
#include "render/sections/sections.h"
#include "util/number_text.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace debrief::render {

namespace {

std::string host_sentence(const result::Traces& traces) {
  std::string out;
  std::int64_t launches = 0;
  std::int64_t too_short = 0;
  for (const result::LaunchStats& row : traces.launches) {
    launches += row.launches;
    too_short += row.short_kernels;
  }
  if (launches > 0)
    out += fmt::format("{} of {} run for less time than they take to launch ({}).",
                       grouped(too_short), plural(launches, "kernel"),
                       share_text(static_cast<double>(too_short), static_cast<double>(launches)));
  if (traces.syncs.empty()) return out;
  double all = 0;
  double profiled = 0;
  for (const result::SyncRow& row : traces.syncs)
    all += row.us;
  for (const result::ProcessBreakdown& process : traces.processes)
    profiled += process.us;
  const auto most = std::max_element(traces.syncs.begin(), traces.syncs.end(),
                                     [](const auto& a, const auto& b) { return a.us < b.us; });
  out += fmt::format(
      "{}Blocking syncs take {}{}, most of it in {}{}: {} in {}.", out.empty() ? "" : " ",
      micros(all), profiled > 0 ? fmt::format(" ({} of the time)", share_text(all, profiled)) : "",
      truncate(most->call), most->op.empty() ? "" : " of " + truncate(most->op), micros(most->us),
      plural(most->calls, "call"));
  return out;
}

void show_launches(Section& section, const std::vector<result::LaunchStats>& launches) {
  if (launches.empty()) return;
  std::vector<Column> columns = {{"Process", Kind::head}};
  for (const char* name :
       {"Launches", "Call p50", "Call p95", "Delay p50", "Delay p95", "Delay max",
        "Kernels shorter than launch", "Max queue depth", "Unmatched kernels"})
    columns.push_back({name, Kind::number});
  Table table("Kernel launches", std::move(columns));
  for (const result::LaunchStats& row : launches)
    table.add({printable(row.process), count_cell(row.launches), micros_cell(row.launch_p50_us),
               micros_cell(row.launch_p95_us), micros_cell(row.delay_p50_us),
               micros_cell(row.delay_p95_us), micros_cell(row.delay_max_us),
               count_cell(row.short_kernels), count_cell(row.queue_max),
               count_cell(row.without_launch)});
  section.show(table, kRowsShown, "processes");
}

void show_waits(Section& section, const char* caption, const std::vector<result::SyncRow>& waits) {
  if (waits.empty()) return;
  Table table(caption, {{"Call", Kind::head},
                        {"Operator"},
                        {"Inside"},
                        {"Process"},
                        {"Calls", Kind::number},
                        {"Time", Kind::number}});
  for (const result::SyncRow& row : waits)
    table.add({printable(row.call), name_or_unknown(row.op), name_or_unknown(row.outer),
               printable(row.process), count_cell(row.calls), micros_cell(row.us)});
  section.show(table.drop_unknown(), kRowsShown, "rows");
}

using result::GpuActivity;

std::string gpu_name(const GpuActivity& gpu) {
  return fmt::format("{}, GPU {}", gpu.process, gpu.device);
}

/// "the host launches late (20.0 %)": the greatest reason of all gaps.
std::string idle_reason(const std::vector<GpuActivity>& gpus) {
  double host = 0;
  double kernel = 0;
  double other = 0;
  double profiled = 0;
  for (const GpuActivity& gpu : gpus) {
    host += gpu.host_wait_us;
    kernel += gpu.kernel_wait_us;
    other += gpu.other_wait_us;
    profiled += gpu.profiled_us;
  }
  const double most = std::max({host, kernel, other});
  if (most <= 0) return "";
  return fmt::format(" Most idle time ({} of the profiled time) is {}.", share_text(most, profiled),
                     most == host
                         ? "waiting on launch: the CPU had not launched the next kernel yet"
                     : most == kernel ? "the normal gap between kernels"
                                      : "launched work that could not start yet");
}

/// Copies are not computing. Empty: hardly any copy stands alone.
std::string copy_sentence(const std::vector<GpuActivity>& gpus) {
  double alone = 0;
  double both = 0;
  double profiled = 0;
  for (const GpuActivity& gpu : gpus) {
    alone += gpu.copy_alone_us;
    both += gpu.copy_us - gpu.copy_alone_us;
    profiled += gpu.profiled_us;
  }
  if (profiled <= 0 || alone < result::kUnmeasuredSaid * profiled) return "";
  return fmt::format(" Of the time, {} went to copies between CPU and GPU alone, and {} to copies "
                     "that other work overlapped.",
                     share_text(alone, profiled), share_text(both, profiled));
}

std::string busy_sentence(const std::vector<GpuActivity>& gpus) {
  const auto busy = [](const GpuActivity& gpu) { return percent_of(gpu.busy_us, gpu.profiled_us); };
  const auto [least, most] = std::minmax_element(
      gpus.begin(), gpus.end(), [&](const auto& a, const auto& b) { return busy(a) < busy(b); });
  std::string out = gpus.size() == 1
                        ? fmt::format("The GPU is busy {} of the {} profiled.",
                                      exact_percent_text(busy(*most)), micros(most->profiled_us))
                        : fmt::format("{} are busy {} ({}) to {} ({}) of the time.",
                                      plural(std::ssize(gpus), "GPU"),
                                      exact_percent_text(busy(*least)), truncate(gpu_name(*least)),
                                      exact_percent_text(busy(*most)), truncate(gpu_name(*most)));
  return out + copy_sentence(gpus) + idle_reason(gpus);
}

/// Kernels first: what remains of the busy time is communication or memory alone.
std::optional<Chart> gpu_chart(const std::vector<GpuActivity>& gpus) {
  std::vector<Share> shares;
  for (const GpuActivity& gpu : gpus) {
    const std::string name = gpus.size() == 1 ? "" : gpu_name(gpu);
    const auto add = [&](const char* what, double us) {
      constexpr double kNanosecond = 1e-3; // a difference of sums is not 0 to the last digit
      us = us < kNanosecond ? 0 : us;
      shares.push_back({name, what, us, micros(us)});
    };
    add("kernels", gpu.kernel_us);
    add("communication and memory", gpu.busy_us - gpu.kernel_us - gpu.copy_alone_us);
    if (gpu.copy_alone_us > 0) add("copies alone", gpu.copy_alone_us);
    add("idle, waiting on launch", gpu.host_wait_us);
    add("idle, between kernels", gpu.kernel_wait_us);
    add("idle, other", gpu.other_wait_us);
  }
  return share_chart("GPU time by activity", shares, "GPUs");
}

Table gpu_table(const std::vector<GpuActivity>& gpus) {
  std::vector<Column> columns = {
      {"Process", Kind::head}, {"GPU", Kind::number}, {"Model"}, {"Profiled", Kind::number}};
  for (const char* name :
       {"Busy", "Kernels", "Communication", "Memory", "Copies alone", "Idle", "Waiting on launch",
        "Between kernels", "Other", "SM efficiency", "Occupancy", "Streams"})
    columns.push_back({name, Kind::number});
  Table table("GPU activity (% of profiled time)", std::move(columns));
  for (const GpuActivity& gpu : gpus) {
    const auto share = [&](double us) { return share_cell(us, gpu.profiled_us); };
    table.add({printable(gpu.process), count_cell(gpu.device), name_or_unknown(gpu.gpu),
               micros_cell(gpu.profiled_us), share(gpu.busy_us), share(gpu.kernel_us),
               share(gpu.communication_us), share(gpu.memory_us), share(gpu.copy_alone_us),
               share(gpu.idle_us), share(gpu.host_wait_us), share(gpu.kernel_wait_us),
               share(gpu.other_wait_us), two_decimals(gpu.sm_efficiency),
               two_decimals(gpu.occupancy), count_cell(gpu.streams)});
  }
  return table.drop_unknown().details(
      {"Model", "Communication", "Between kernels", "Other", "Occupancy", "Streams"});
}

void show_copies(Section& section, const std::vector<result::CopyRow>& copies) {
  if (copies.empty()) return;
  std::vector<Share> shares;
  Table table("Memory copies and memsets", {{"Process", Kind::head},
                                            {"Direction"},
                                            {"Memory kinds"},
                                            {"Calls", Kind::number},
                                            {"Time", Kind::number},
                                            {"Bytes", Kind::number},
                                            {"GB/s", Kind::number}});
  const bool one_process = std::all_of(copies.begin(), copies.end(), [&](const auto& row) {
    return row.process == copies.front().process;
  });
  for (const result::CopyRow& row : copies) {
    shares.push_back({one_process ? "" : row.process, row.direction, row.us, micros(row.us)});
    table.add({printable(row.process), printable(row.direction), name_or_unknown(row.memory),
               count_cell(row.calls), micros_cell(row.us), byte_count_cell(row.bytes),
               two_decimals(row.bandwidth)});
  }
  section.draw(share_chart("Memory copies and memsets by direction", shares));
  section.show(table.drop_unknown(), kRowsShown, "rows");
}

std::optional<Section> make_gpu_activity(const result::Result& result) {
  const result::Traces& traces = result.traces;
  if (traces.empty()) return std::nullopt;
  if (traces.gpus.empty())
    return missing("The traces have no GPU work. If the job used a GPU, add ProfilerActivity.CUDA "
                   "to the profiler's activities.");
  Section section;
  section.say(busy_sentence(traces.gpus));
  section.say(host_sentence(traces));
  section.draw(gpu_chart(traces.gpus));
  section.show(gpu_table(traces.gpus), kRowsShown, "GPUs");
  show_copies(section, traces.copies);
  show_launches(section, traces.launches);
  show_waits(section, "Blocking syncs", traces.syncs);
  show_waits(section, "Blocking copies to the GPU", traces.blocking_copies);
  return section;
}

} // namespace

const SectionSpec kGpuActivitySection = {
    .id = "gpu-activity",
    .heading = "GPU activity",
    .chapter = Chapter::gpu,
    .how_to_read =
        "If the GPU waits on launch, use fewer and larger kernels (torch.compile, CUDA graphs, a "
        "larger batch) and remove syncs. Low SM efficiency on a busy GPU means kernels too small "
        "to fill it. Many kernels shorter than their launch mean the job is launch-bound. Copies "
        "from pageable memory are slow and block the CPU; a copy to the CPU blocks it.",
    .how_computed = "Over profiled steps. Work on several streams at the same time counts once. A "
                    "gap is “waiting on launch” if the next kernel was launched after the gap "
                    "began. It is “between kernels” if the kernel was launched earlier and the gap "
                    "is below 30 µs, and “other” if not. SM efficiency weighs each kernel by its "
                    "blocks per SM, at most 1. Delay runs from the end of the launch call to the "
                    "kernel's start. About 1,024 queued launches block the CPU.",
    .make = make_gpu_activity,
};

} // namespace debrief::render
