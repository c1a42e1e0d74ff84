// What PyTorch's allocator held over a trace, its peak, and who held it then.
#include "chart/meaning.h"
#include "chart/stacked.h"
#include "chart/time_lines.h"
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/parts/trace_words.h"
#include "render/sections/sections.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

namespace debrief::render {

namespace {

using result::DeviceMemory;

constexpr std::size_t kMaxCurves = 8;

std::string bytes(double amount) {
  return amount < 0 ? "-" + to_human_bytes(-amount) : to_human_bytes(amount);
}

std::string bytes(std::int64_t amount) {
  return bytes(static_cast<double>(amount));
}

std::string device_name(const DeviceMemory& row) {
  return fmt::format("{}, {}", row.process, row.device);
}

std::string peak_sentence(const DeviceMemory& row) {
  std::string out =
      fmt::format("{} peaks at {}", truncate(device_name(row)), bytes(row.peak_allocated));
  if (row.capacity)
    out += fmt::format(
        ", {} of its {}",
        share_text(static_cast<double>(row.peak_allocated), static_cast<double>(*row.capacity)),
        bytes(*row.capacity));
  if (row.peak_reserved > 0) out += fmt::format(", with {} reserved", bytes(row.peak_reserved));
  out += '.';
  if (!row.holders.empty()) {
    const result::MemoryHolder& first = row.holders.front();
    out += fmt::format(
        " The largest part, {}, was allocated by {}{}", bytes(first.bytes),
        first.op.empty() ? "code outside operators" : truncate(first.op),
        first.outer.empty() || first.outer == first.op ? "" : " in " + truncate(first.outer));
    if (row.before_trace > 0)
      out += fmt::format("; {} was there before the trace began", bytes(row.before_trace));
    out += '.';
  }
  if (row.growth_per_step)
    out += std::abs(*row.growth_per_step) < 1
               ? " Memory does not grow from step to step."
               : fmt::format(" Memory {} {} per step.",
                             *row.growth_per_step < 0 ? "shrinks by" : "grows by",
                             bytes(std::abs(*row.growth_per_step)));
  return out;
}

std::optional<Chart> curve(const DeviceMemory& row) {
  if (row.times.size() < 2) return std::nullopt;
  chart::StepLines chart;
  for (const Microseconds time : row.times)
    chart.seconds.push_back(in_seconds(time - row.times.front()));
  chart.lines.push_back({"allocated", {row.allocated.begin(), row.allocated.end()}});
  if (row.peak_reserved > 0)
    chart.lines.push_back({"reserved", {row.reserved.begin(), row.reserved.end()}});
  std::string caption = fmt::format("Allocator memory of {}", truncate(device_name(row)));
  std::vector<LegendEntry> legend = {
      {"0", "allocated: " + bytes(row.peak_allocated) + " at most", chart::series(0)}};
  if (chart.lines.size() > 1)
    legend.push_back({"1", "reserved: " + bytes(row.peak_reserved) + " at most", chart::series(1)});
  chart.label = fmt::format("{}: peak {} allocated, {} reserved", caption,
                            bytes(row.peak_allocated), bytes(row.peak_reserved));
  return drawn_chart(
      std::move(caption), [&] { return draw(chart); }, std::move(legend));
}

/// What memory was for during the profiling cycle of the peak.
std::optional<Chart> category_chart(const DeviceMemory& row) {
  const result::MemoryByCategory& parts = row.by_category;
  if (parts.times.size() < 2) return std::nullopt;
  constexpr std::array kMeanings = {Meaning::between, Meaning::communication, Meaning::compute,
                                    Meaning::idle};
  chart::Stacked chart;
  chart.bytes = true;
  for (std::size_t at = 0; at < std::size(result::kMemoryCategories); ++at) {
    chart.kinds.push_back({result::kMemoryCategories[at], chart::color_of(kMeanings[at])});
    chart.values.emplace_back(parts.bytes[at].begin(), parts.bytes[at].end());
  }
  for (const Microseconds time : parts.times)
    chart.edges.push_back(in_seconds(time - parts.times.front()));
  // The last value holds up to the end: as long as the one before it.
  chart.edges.push_back(2 * chart.edges.back() - chart.edges[chart.edges.size() - 2]);
  chart.x_ticks = chart::duration_ticks(0, chart.edges.back(), chart::is_for_phone() ? 3 : 6);
  std::string caption =
      fmt::format("Memory by category of {} (estimated)", truncate(device_name(row)));
  chart.label = caption;
  std::vector<LegendEntry> legend;
  for (std::size_t at = 0; at < chart.kinds.size(); ++at) {
    const auto& bytes_of = parts.bytes[at];
    const std::int64_t most = *std::max_element(bytes_of.begin(), bytes_of.end());
    if (most > 0)
      legend.push_back({std::to_string(at),
                        fmt::format("{}: up to {}", chart.kinds[at].name, bytes(most)),
                        chart.kinds[at].color});
  }
  return drawn_chart(
      std::move(caption), [&] { return draw(chart); }, std::move(legend));
}

Table peak_table(const std::vector<DeviceMemory>& rows) {
  std::vector<Column> columns = {{"Process", Kind::head}, {"Device"}};
  for (const char* name : {"Peak allocated", "Peak reserved", "Capacity", "Peak (% of capacity)",
                           "Peak after", "Before the trace", "Growth per step", "Events"})
    columns.push_back({name, Kind::number});
  Table table("Memory peaks", std::move(columns));
  for (const DeviceMemory& row : rows) {
    std::optional<double> after;
    if (row.peak_time && !row.times.empty()) after = in_seconds(*row.peak_time - row.times.front());
    Cell growth(kUnknown);
    if (row.growth_per_step) {
      growth = bytes_cell(std::abs(*row.growth_per_step));
      growth.text = bytes(*row.growth_per_step);
      growth.raw = plain_number(*row.growth_per_step);
    }
    table.add({printable(row.process), printable(row.device), byte_count_cell(row.peak_allocated),
               row.peak_reserved > 0 ? byte_count_cell(row.peak_reserved) : Cell(kUnknown),
               byte_count_cell(row.capacity),
               row.capacity ? share_cell(static_cast<double>(row.peak_allocated),
                                         static_cast<double>(*row.capacity))
                            : std::string{kUnknown},
               duration_cell(after), byte_count_cell(row.before_trace), std::move(growth),
               count_cell(row.events)});
  }
  return table.drop_unknown().details({"Capacity", "Peak after", "Events"});
}

std::string holder_name(const result::MemoryHolder& holder) {
  if (holder.other_count) return fmt::format("and {} more", *holder.other_count);
  return holder.op.empty() ? "code outside operators" : printable(holder.op);
}

/// What is not held by those who are listed is named too, so that the parts sum to the peak.
/// `number` tells the tables' addresses apart: names of devices need not do so.
Table holder_table(const DeviceMemory& row, std::size_t number) {
  Table table(fmt::format("Allocated at {}: {}",
                          number == 1 ? "the peak" : fmt::format("peak {}", number),
                          printable(device_name(row))),
              {{"Allocated by", Kind::head},
               {"Inside"},
               {"Bytes", Kind::number},
               {"Blocks", Kind::number},
               {"Share (%)", Kind::number},
               {"Share", Kind::bar}});
  const auto peak = static_cast<double>(row.peak_allocated);
  const auto add = [&](const std::string& who, const std::string& inside, std::int64_t held,
                       const std::optional<std::int64_t>& blocks) {
    const auto amount = static_cast<double>(held);
    table.add({who, inside, byte_count_cell(held), count_cell(blocks), share_cell(amount, peak),
               share_bar(percent_of(amount, peak))});
  };
  std::int64_t rest = row.peak_allocated - row.before_trace;
  for (const result::MemoryHolder& holder : row.holders) {
    add(holder_name(holder), name_or_unknown(holder.outer), holder.bytes, holder.blocks);
    rest -= holder.bytes;
  }
  if (row.before_trace > 0)
    add("before the trace began", std::string{kUnknown}, row.before_trace, std::nullopt);
  if (rest > 0) add("others", std::string{kUnknown}, rest, std::nullopt);
  return table.drop_unknown();
}

/// GPUs first, then by peak. What holds next to nothing beside the others is left to the table.
std::vector<const DeviceMemory*> worth_drawing(const std::vector<DeviceMemory>& rows) {
  constexpr std::int64_t kNextToNothing = 1000; // part of the highest peak
  std::int64_t highest = 0;
  for (const DeviceMemory& row : rows)
    highest = std::max(highest, row.peak_allocated);
  std::vector<const DeviceMemory*> out;
  for (const DeviceMemory& row : rows)
    if (row.peak_allocated >= highest / kNextToNothing) out.push_back(&row);
  std::stable_sort(out.begin(), out.end(), [](const auto* a, const auto* b) {
    return (a->device != "CPU") != (b->device != "CPU") ? a->device != "CPU"
                                                        : a->peak_allocated > b->peak_allocated;
  });
  return out;
}

std::optional<Section> make_allocator(const result::Result& result) {
  const result::Traces& traces = result.traces;
  if (traces.empty()) return std::nullopt;
  if (traces.memory.empty())
    return missing("The traces have no memory events; profile with profile_memory=True.");
  const std::vector<const DeviceMemory*> order = worth_drawing(traces.memory);
  Section section;
  section.say(peak_sentence(*order.front()));
  if (order.size() > kMaxCurves)
    section.note(fmt::format("Drawn: {1} of {0}, highest peaks first.",
                             plural(std::ssize(order), "device"), kMaxCurves));
  for (std::size_t at = 0; at < std::min(order.size(), kMaxCurves); ++at) {
    section.draw(curve(*order[at]));
    if (at == 0) section.draw(category_chart(*order[at]));
    if (at == 0) section.show(peak_table(traces.memory), kRowsShown, "devices");
    const Table holders = holder_table(*order[at], at + 1);
    if (holders.size() == 0) continue;
    if (at == 0)
      section.show(holders);
    else
      section.show_folded(holders, "What was allocated at the peak");
  }
  return section;
}

} // namespace

const SectionSpec kAllocatorSection = {
    .id = "allocator",
    .heading = "Allocator memory",
    .chapter = Chapter::memory,
    .how_to_read = "Memory should return to the same baseline after every step. If the baseline "
                   "keeps rising, something keeps memory alive. Reserved far above allocated is "
                   "fragmentation or an earlier peak. Shrink what makes up the peak: checkpoint "
                   "activations, shard gradients and optimizer state.",
    .how_computed =
        "From the allocator's events: allocated is in use by tensors, reserved is what it took "
        "from the device. Growth is the slope of a line through the memory at each step's end. "
        "Blocks alive at the peak are listed by the operator that allocated them. Categories are "
        "estimated from when a block is allocated and freed: activations from forward to backward, "
        "gradients in backward and kept after it, state in the optimizer or before the trace.",
    .make = make_allocator,
};

} // namespace debrief::render
