#include "aggregate/trace/copies.h"

#include "util/interval_set.h"

#include <algorithm>
#include <array>
#include <map>
#include <utility>

namespace debrief::aggregate {

namespace {

std::string_view place_of(char letter) {
  switch (letter) {
  case 'H':
    return "host";
  case 'D':
    return "device";
  case 'A':
    return "array";
  case 'P':
    return "peer";
  default:
    return {};
  }
}

void capitalize(std::string& text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 32);
}

/// "HtoD" -> "Host to device"; also AMD's "CopyHostToDevice". Empty: neither.
std::string direction_of(std::string_view name) {
  std::string out;
  const std::size_t to = name.find("to");
  if (to != name.npos && to > 0 && to + 2 < name.size()) {
    const std::string_view from = place_of(name[to - 1]);
    const std::string_view into = place_of(name[to + 2]);
    if (!from.empty() && !into.empty()) out.append(from).append(" to ").append(into);
  }
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kWords = {
      {{"HostToDevice", "host to device"},
       {"DeviceToHost", "device to host"},
       {"DeviceToDevice", "device to device"},
       {"HostToHost", "host to host"}}};
  for (const auto& [word, direction] : kWords)
    if (out.empty() && name.find(word) != name.npos) out = direction;
  capitalize(out);
  return out;
}

/// "(Pageable -> Device)" -> "Pageable to device".
std::string memory_of(std::string_view name) {
  const std::size_t open = name.find('(');
  const std::size_t close = name.rfind(')');
  if (open == name.npos || close == name.npos || close < open) return {};
  const std::string_view inside = name.substr(open + 1, close - open - 1);
  constexpr std::string_view kArrow = " -> ";
  const std::size_t arrow = inside.find(kArrow);
  if (arrow == inside.npos) return std::string{inside};
  std::string into{inside.substr(arrow + kArrow.size())};
  if (!into.empty() && into[0] >= 'A' && into[0] <= 'Z') into[0] = static_cast<char>(into[0] + 32);
  return std::string{inside.substr(0, arrow)} + " to " + into;
}

struct CopiesSum {
  std::int64_t calls = 0;
  Nanoseconds total{};
  std::int64_t with_bytes = 0; ///< calls that record them
  std::int64_t bytes = 0;
  Nanoseconds bytes_time{};
};

} // namespace

CopyKind copy_kind(std::string_view name) {
  if (name.starts_with("Memset")) return {"Memset", memory_of(name)};
  const std::string_view before = name.substr(0, name.find('('));
  std::string direction = direction_of(before);
  if (direction.empty()) return {std::string{name}, {}};
  return {std::move(direction), memory_of(name)};
}

std::vector<result::CopyRow> trace_copies(std::span<const TraceIndex> indices) {
  struct Process {
    std::string_view name;
    std::map<std::string_view, CopiesSum> sums; ///< by name of the copy
  };

  std::vector<Process> processes;
  std::map<std::string_view, std::size_t> places;
  for (const TraceIndex& index : indices) {
    const job::Trace& trace = index.trace;
    const auto [place, is_new] = places.try_emplace(trace.process, processes.size());
    if (is_new) processes.push_back({trace.process, {}});
    Process& process = processes[place->second];
    for (const job::Slice& slice : trace.slices) {
      if (slice.kind != job::SliceKind::memcpy && slice.kind != job::SliceKind::memset) continue;
      CopiesSum& sum = process.sums[trace.names[slice.name]];
      ++sum.calls;
      sum.total += slice.duration;
      if (slice.details < 0) continue;
      const std::int64_t bytes = trace.copies[static_cast<std::size_t>(slice.details)].bytes;
      if (bytes < 0) continue;
      ++sum.with_bytes;
      if (__builtin_add_overflow(sum.bytes, bytes, &sum.bytes)) sum.bytes = INT64_MAX;
      sum.bytes_time += slice.duration;
    }
  }
  std::vector<result::CopyRow> rows;
  for (const Process& process : processes) {
    const auto first = static_cast<std::ptrdiff_t>(rows.size());
    for (const auto& [name, sum] : process.sums) {
      CopyKind kind = copy_kind(name);
      result::CopyRow& row = rows.emplace_back();
      row.process = process.name;
      row.direction = std::move(kind.direction);
      row.memory = std::move(kind.memory);
      row.calls = sum.calls;
      row.us = in_microseconds(sum.total);
      if (sum.with_bytes > 0) row.bytes = sum.bytes;
      if (sum.with_bytes > 0 && sum.bytes_time > Nanoseconds{}) // bytes a nanosecond are GB/s
        row.bandwidth =
            static_cast<double>(sum.bytes) / static_cast<double>(sum.bytes_time.count());
    }
    std::stable_sort(rows.begin() + first, rows.end(),
                     [](const auto& a, const auto& b) { return a.us > b.us; });
  }
  return rows;
}

} // namespace debrief::aggregate
