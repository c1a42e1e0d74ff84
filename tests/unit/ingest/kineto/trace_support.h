// Traces as text, for tests: read from events written by hand, and written out whole to be
// compared.
#pragma once

#include "ingest/kineto/reader.h"
#include "support.h"

#include <fmt/format.h>

#include <string>

namespace debrief::test {

inline const std::string kTracePath = "traces/algo-1_605.1794700287797757440.pt.trace.json";

inline ingest::FileReading read_trace(const std::string& text,
                                      const ingest::chrome_trace::ReadingOptions& options = {},
                                      const std::string& path = kTracePath) {
  return read_text(ingest::KinetoReader{options}, path, text);
}

/// A trace with these events, as Kineto writes it; times are since 2023-11-14T22:13:20Z.
inline std::string trace_of(const std::string& events) {
  return "{\n  \"schemaVersion\": 1,\n  \"baseTimeNanoseconds\": 1700000000000000000,\n"
         "  \"traceEvents\": [\n" +
         events + "\n  ],\n  \"traceName\": \"t.json\"\n}\n";
}

/// An operator on thread 7 of process 605, in microseconds.
inline std::string op(const std::string& name, double start, double duration,
                      const std::string& args = "") {
  return fmt::format(
      "  {{\n    \"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": \"{}\", \"pid\": 605, "
      "\"tid\": 7,\n    \"ts\": {:.3f}, \"dur\": {:.3f},\n    \"args\": {{ {} }}\n  }}",
      name, start, duration, args);
}

/// Names of the slices, in their order.
inline std::vector<std::string> names_of(const ingest::FileReading& reading) {
  std::vector<std::string> names;
  if (reading.trace)
    for (const job::Slice& slice : reading.trace->slices)
      names.emplace_back(reading.trace->names[slice.name]);
  return names;
}

inline std::string dump(const job::Troubles& troubles) {
  std::string out;
  for (const auto& [reason, trouble] : troubles)
    out += fmt::format("{} {} {}\n", reason, trouble.count, trouble.first_seen);
  return out;
}

/// Everything that was read, places in tables included: equal texts are equal readings.
inline std::string dump(const ingest::FileReading& reading) {
  std::string out = dump(reading.report.skipped) + dump(reading.report.repaired) +
                    dump(reading.report.damaged_files);
  for (const auto& [name, counts] : reading.report.sources)
    out += fmt::format("{} {} {}\n", name, counts.records, counts.events);
  if (!reading.trace) return out + "no trace\n";
  const job::Trace& trace = *reading.trace;
  out += fmt::format("{} {} {} {} {}\n", trace.path, trace.node, trace.pid.value_or(-1),
                     trace.rank.value_or(-1), trace.clock_known);
  for (job::StringTable::Id id = 0; static_cast<std::size_t>(id) < trace.names.size(); ++id)
    out += fmt::format("name {}\n", trace.names[id]);
  for (const job::TraceTrack& track : trace.tracks)
    out += fmt::format("track {} {} {} {}\n", track.gpu, track.process, track.id, track.name);
  for (const job::Slice& slice : trace.slices)
    out += fmt::format("slice {} {} {} {} {} {} {} {}\n", slice.start.count(),
                       slice.duration.count(), slice.correlation, slice.external, slice.name,
                       slice.track, slice.details, static_cast<int>(slice.kind));
  for (const job::InputArgs& args : trace.inputs)
    out += fmt::format("input {} {} {} {} {}\n", args.dims, args.types, args.concrete,
                       args.collective, args.flops);
  for (const job::LaunchArgs& args : trace.launches)
    out += fmt::format("launch {} {} {} {} {} {} {}\n", fmt::join(args.grid, ","),
                       fmt::join(args.block, ","), args.registers, args.shared_memory,
                       args.blocks_per_sm, args.occupancy, args.collective);
  for (const job::CopyArgs& args : trace.copies)
    out += fmt::format("copy {} {}\n", args.bytes, args.bandwidth);
  for (const job::CollectiveArgs& args : trace.collectives)
    out += fmt::format("collective {} {} {} {} {} {}\n", args.name, args.dtype, args.group,
                       args.in_elements, args.out_elements, args.group_size);
  for (const job::MemoryEvent& event : trace.memory)
    out += fmt::format("memory {} {} {} {} {} {} {} {}\n", event.time.count(), event.bytes,
                       event.address, event.allocated, event.reserved, event.track, event.device,
                       event.gpu);
  for (const auto& [key, count] : trace.counts)
    out += fmt::format("count {} {}\n", key, count);
  return out;
}

} // namespace debrief::test
