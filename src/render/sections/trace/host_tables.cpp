#include "render/sections/trace/host_tables.h"

#include "render/parts/format.h"
#include "render/parts/trace_words.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::render {

std::string host_sentence(const result::Traces& traces) {
  std::string out;
  std::int64_t launches = 0;
  std::int64_t too_short = 0;
  for (const result::LaunchStats& row : traces.launches) {
    launches += row.launches;
    too_short += row.short_kernels;
  }
  if (launches > 0)
    out += fmt::format("{} of {} last less than the call that launches them ({}).",
                       grouped(too_short), counted(launches, "kernel"),
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
      "{}The host waits {} for GPUs{}, most in {}{}: {} in {}.", out.empty() ? "" : " ",
      micros(all), profiled > 0 ? fmt::format(" ({} of the time)", share_text(all, profiled)) : "",
      brief(most->call), most->op.empty() ? "" : " of " + brief(most->op), micros(most->us),
      counted(most->calls, "call"));
  return out;
}

void show_launches(Section& section, const std::vector<result::LaunchStats>& launches) {
  if (launches.empty()) return;
  std::vector<Column> columns = {{"Process", Kind::head}};
  for (const char* name :
       {"Launches", "Call p50", "Call p95", "Delay p50", "Delay p95", "Delay max",
        "Shorter than their launch", "Waiting at most", "Without a launch"})
    columns.push_back({name, Kind::number});
  Table table("How kernels are launched", std::move(columns));
  for (const result::LaunchStats& row : launches)
    table.add({printable(row.process), count_cell(row.launches), micros_cell(row.launch_p50_us),
               micros_cell(row.launch_p95_us), micros_cell(row.delay_p50_us),
               micros_cell(row.delay_p95_us), micros_cell(row.delay_max_us),
               count_cell(row.short_kernels), count_cell(row.queue_max),
               count_cell(row.without_launch)});
  section.show(table, kRowsShown, "processes");
}

void show_syncs(Section& section, const std::vector<result::SyncRow>& syncs) {
  if (syncs.empty()) return;
  Table table("Time in which the host was blocked by a GPU", {{"Call", Kind::head},
                                                              {"Operator"},
                                                              {"Inside"},
                                                              {"Process"},
                                                              {"Calls", Kind::number},
                                                              {"Time", Kind::number}});
  for (const result::SyncRow& row : syncs)
    table.add({printable(row.call), name_or_unknown(row.op), name_or_unknown(row.outer),
               printable(row.process), count_cell(row.calls), micros_cell(row.us)});
  section.show(table.drop_unknown(), kRowsShown, "rows");
}

} // namespace debrief::render
