// Collectives: how much of them is hidden behind compute, and who comes late to them.
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/parts/share_chart.h"
#include "render/parts/trace_words.h"
#include "render/sections/sections.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace debrief::render {

namespace {

using result::Communication;
using result::OverlapRow;

std::string name_of(const std::string& process, const std::optional<std::int64_t>& rank) {
  if (!rank) return process;
  const std::string name = fmt::format("rank {}", *rank);
  return process == name ? name : fmt::format("{}, {}", name, process);
}

std::string missing_words(const Communication& communication) {
  if (communication.missing_count == 0) return "";
  std::string ranks;
  constexpr std::size_t kNamed = 20;
  const std::size_t named = std::min(communication.missing_ranks.size(), kNamed);
  for (std::size_t at = 0; at < named; ++at)
    ranks += fmt::format("{}{}", at == 0 ? "" : ", ", communication.missing_ranks[at]);
  const auto more = communication.missing_count - static_cast<std::int64_t>(named);
  return fmt::format("Missing traces: rank{} {}{}.", communication.missing_count == 1 ? "" : "s",
                     ranks, more > 0 ? fmt::format(" and {} more", grouped(more)) : "");
}

std::string overlap_sentence(const std::vector<OverlapRow>& rows) {
  double profiled = 0;
  double communication = 0;
  double hidden = 0;
  double exposed = 0;
  const OverlapRow* worst = nullptr;
  for (const OverlapRow& row : rows) {
    profiled += row.profiled_us;
    communication += row.communication_us;
    hidden += row.hidden_us;
    exposed += row.exposed_us;
    if (worst == nullptr || percent_of(row.exposed_us, row.profiled_us) >
                                percent_of(worst->exposed_us, worst->profiled_us))
      worst = &row;
  }
  if (communication <= 0) return "";
  std::string out = fmt::format("Communication takes {} of the profiled time; {} of it overlaps "
                                "with compute. Exposed communication is {} of the time",
                                share_text(communication, profiled),
                                share_text(hidden, communication), share_text(exposed, profiled));
  if (rows.size() > 1)
    out += fmt::format(", up to {} ({})", share_text(worst->exposed_us, worst->profiled_us),
                       truncate(name_of(worst->process, worst->rank)));
  return out + '.';
}

std::string straggler_sentence(const Communication& communication) {
  if (communication.stragglers.empty()) return "";
  const result::StragglerRow& latest = communication.stragglers.front();
  return fmt::format(
      "{} arrives last at {} of {}, {} after the first on average{}.",
      capitalized(truncate(name_of(latest.process, latest.rank))), grouped(latest.last),
      plural(latest.collectives, "matched collective"), micros(latest.lateness_us),
      communication.skew_us ? fmt::format("; the mean skew is {}", micros(*communication.skew_us))
                            : "");
}

std::optional<Chart> overlap_chart(const std::vector<OverlapRow>& rows) {
  std::vector<Share> shares;
  for (const OverlapRow& row : rows) {
    const auto add = [&](const char* what, double us) {
      shares.push_back({rows.size() == 1 ? "" : name_of(row.process, row.rank), what,
                        std::max(us, 0.0), micros(us)});
    };
    add("compute only", row.compute_us - row.hidden_us);
    add("overlapped", row.hidden_us);
    add("exposed", row.exposed_us);
    add("neither", row.profiled_us - row.compute_us - row.exposed_us);
  }
  return share_chart("Communication overlap by process", shares);
}

Table overlap_table(const std::vector<OverlapRow>& rows) {
  std::vector<Column> columns = {{"Process", Kind::head}};
  for (const char* name : {"Rank", "Profiled", "Compute", "Communication", "Overlapped", "Exposed",
                           "Overlap (%)", "Exposed (% of time)"})
    columns.push_back({name, Kind::number});
  Table table("Communication overlap", std::move(columns));
  for (const OverlapRow& row : rows)
    table.add({printable(row.process), count_cell(row.rank), micros_cell(row.profiled_us),
               micros_cell(row.compute_us), micros_cell(row.communication_us),
               micros_cell(row.hidden_us), micros_cell(row.exposed_us),
               two_decimals(row.overlap_percent), share_cell(row.exposed_us, row.profiled_us)});
  return table.drop_unknown().details({"Rank", "Overlapped"});
}

Table collective_table(const std::vector<result::CollectiveRow>& rows) {
  std::vector<Column> columns = {{"Collective", Kind::head}, {"Process"}, {"On"}, {"Data type"}};
  for (const char* name : {"Bytes", "Calls", "Total", "Min", "Mean", "Max", "Mean without waiting",
                           "GB/s (algorithm)", "GB/s (bus)"})
    columns.push_back({name, Kind::number});
  Table table("Collectives by name, type and size", std::move(columns));
  for (const result::CollectiveRow& row : rows)
    table.add({printable(row.name), printable(row.process), printable(row.where),
               name_or_unknown(row.dtype), byte_count_cell(row.bytes), count_cell(row.calls),
               micros_cell(row.total_us), micros_cell(row.min_us), micros_cell(row.mean_us),
               micros_cell(row.max_us),
               row.transfer_us ? micros_cell(*row.transfer_us) : Cell(kUnknown),
               two_decimals(row.bandwidth), two_decimals(row.bus_bandwidth)});
  return table.drop_unknown().details(
      {"Data type", "Min", "Max", "Mean without waiting", "GB/s (algorithm)"});
}

Table straggler_table(const std::vector<result::StragglerRow>& rows) {
  std::vector<Column> columns = {{"Process", Kind::head}};
  for (const char* name : {"Rank", "Matched", "Arrived last", "Mean lateness",
                           "Total wait for the last", "Clock offset"})
    columns.push_back({name, Kind::number});
  Table table("Stragglers", std::move(columns));
  for (const result::StragglerRow& row : rows)
    table.add({printable(row.process), count_cell(row.rank), count_cell(row.collectives),
               count_cell(row.last), micros_cell(row.lateness_us), micros_cell(row.waited_us),
               micros_cell(row.clock_offset_us)});
  return table.drop_unknown();
}

std::optional<Section> make_communication(const result::Result& result) {
  const result::Traces& traces = result.traces;
  if (traces.empty()) return std::nullopt;
  const Communication& communication = traces.communication;
  const std::string absent = missing_words(communication);
  if (communication.collectives.empty())
    return missing(absent.empty()
                       ? "The traces have no collectives: each process works on its own data."
                       : "The traces have no collectives. " + absent);
  Section section;
  section.say(overlap_sentence(communication.overlap));
  section.say(straggler_sentence(communication));
  section.say(absent);
  if (communication.stragglers.empty())
    section.note("Stragglers are unknown: that needs traces of at least two processes with the "
                 "same collectives.");
  section.draw(overlap_chart(communication.overlap));
  section.show(overlap_table(communication.overlap), kRowsShown, "processes");
  if (!communication.stragglers.empty())
    section.show(straggler_table(communication.stragglers), kRowsShown, "processes");
  section.show(collective_table(communication.collectives), kRowsShown, "rows");
  return section;
}

} // namespace

const SectionSpec kCommunicationSection = {
    .id = "communication",
    .heading = "Communication",
    .chapter = Chapter::communication,
    .how_to_read =
        "Only exposed communication (not overlapped with compute) costs time. Larger buckets, "
        "gradient accumulation or more overlap reduce it. The rank that most often arrives last is "
        "the straggler; long collectives on other ranks are time spent waiting for it.",
    .how_computed =
        "Collectives are NCCL kernels, or gloo ranges on the CPU, within profiled time. Overlapped "
        "is the part while a compute kernel runs on the process's GPUs. The n-th collective of a "
        "name and group is the same one in all processes. Lateness is between starts, after "
        "aligning clocks. GB/s are bytes over time, not what the wires carry.",
    .make = make_communication,
};

} // namespace debrief::render
