#include "ingest/kineto/reader.h"

#include "ingest/kineto/header.h"
#include "ingest/kineto/repair.h"
#include "ingest/timeline_reader.h"
#include "ingest/trace_scanner.h"
#include "util/text.h"

#include <fmt/format.h>

namespace debrief::ingest {

namespace {

/// What the file says about itself: its text before the events, and what follows them. Returns the
/// origin of the trace's times.
Nanoseconds read_about(const std::string& before, const kineto::BlockMerger& events,
                       std::uint64_t size, job::Trace& trace, job::ReadingReport& report) {
  const bool object = before.find('{') != before.npos;
  const std::string rest = events.events_ended() ? events.rest() : "]";
  bool cut = false;
  std::string about = object ? kineto::close_object(before + rest, cut) : "{}";
  kineto::repair_utf8(about);
  Nanoseconds base = 0;
  if (!about.empty() && !kineto::read_header(about, trace, base))
    job::ReadingReport::count(report.damaged_files,
                              "what the trace says about itself is not valid JSON", trace.path);
  if (cut || !events.events_ended()) {
    std::string where = job::at_byte(trace.path, size);
    if (events.unfinished() > 0)
      where += fmt::format(", {} of an unfinished event", count_of(events.unfinished(), "byte"));
    job::ReadingReport::count(report.damaged_files, "trace is cut off: its end is missing", where);
  }
  return base;
}

} // namespace

bool KinetoReader::recognizes(const InputFile& file) const {
  return is_pytorch_trace(file);
}

void KinetoReader::read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const {
  job::Trace trace;
  trace.path = file.path;
  kineto::read_worker_name(file.name(), trace);
  std::string before;
  if (!TraceScanner{file.bytes, &before}.enter_array()) {
    job::ReadingReport::count(reading.report.damaged_files, "no list of events in the file",
                              trace.path);
    return;
  }
  kineto::TraceBuilder builder{file.path, reading.report};
  kineto::BlockMerger merger{file.path, builder, reading.report};
  kineto::EventsReader{file.bytes, file.path, options_, merger}.run();
  counts.records += builder.records();
  const Nanoseconds base = read_about(before, merger, file.bytes.offset(), trace, reading.report);
  reading.trace = std::move(builder).finish(std::move(trace), base);
  counts.events += reading.trace->slices.size() + reading.trace->memory.size();
}

} // namespace debrief::ingest
