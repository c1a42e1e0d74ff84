#include "ingest/kineto/reader.h"

#include "ingest/chrome_trace/events_list.h"
#include "ingest/chrome_trace/repair.h"
#include "ingest/kineto/builder.h"
#include "ingest/kineto/header.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::ingest {

namespace {

/// What the file says about itself: its text before the events, and what follows them. Returns the
/// origin of the trace's times.
Nanoseconds read_about(const std::string& before, const chrome_trace::BlockMerger& events,
                       std::uint64_t size, job::Trace& trace, job::ReadingReport& report) {
  const bool object = before.find('{') != before.npos;
  const std::string rest = events.events_ended() ? events.rest() : "]";
  bool cut = false;
  std::string about = object ? chrome_trace::close_object(before + rest, cut) : "{}";
  chrome_trace::repair_utf8(about);
  Nanoseconds base{};
  const std::string_view trouble =
      about.empty() ? std::string_view{} : kineto::read_header(about, trace, base);
  if (!trouble.empty())
    job::ReadingReport::count(report.damaged_files,
                              fmt::format("what the trace says about itself {}", trouble),
                              trace.path);
  if (cut || !events.events_ended()) {
    std::string where = job::at_byte(trace.path, size);
    if (events.unfinished() > 0)
      where += fmt::format(", {} of an unfinished event", count_of(events.unfinished(), "byte"));
    job::ReadingReport::count(report.damaged_files, "trace is cut off: its end is missing", where);
  }
  return base;
}

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != text.npos;
}

} // namespace

bool is_pytorch_trace(const InputFile& file) {
  if (contains(file.name(), ".pt.trace.json")) return true;
  constexpr std::size_t kEnough = std::size_t{256} * 1024; // of the head, for its first events
  const std::string_view head = file.text_head().substr(0, kEnough);
  const auto has_one = [&](std::initializer_list<std::string_view> marks) {
    return std::any_of(marks.begin(), marks.end(),
                       [&](std::string_view mark) { return contains(head, mark); });
  };
  if (head.starts_with('{') &&
      has_one({"\"schemaVersion\"", "\"deviceProperties\"", "\"distributedInfo\"",
               "\"baseTimeNanoseconds\"", "\"Trace name\"", "\"traceName\""}))
    return true;
  // Categories that no other recorder has; a bare list of events shows nothing else.
  return (head.starts_with('{') || head.starts_with('[')) &&
         has_one({"\"cpu_op\"", "\"cuda_runtime\"", "\"cuda_driver\"", "\"gpu_memcpy\"",
                  "\"python_function\"", "\"cpu_instant_event\"", "\"CPU functions\"",
                  "\"CUDA functions\""});
}

bool KinetoReader::recognizes(const InputFile& file) const {
  return is_pytorch_trace(file);
}

void KinetoReader::read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const {
  job::Trace trace;
  trace.path = file.path;
  kineto::read_worker_name(file.name(), trace);
  const auto list = chrome_trace::enter_events_list(file.bytes);
  if (!list) {
    job::ReadingReport::count(reading.report.damaged_files, "no list of events in the file",
                              trace.path);
    return;
  }
  kineto::TraceBuilder builder{file.path, reading.report};
  chrome_trace::BlockMerger merger{file.path, builder, reading.report};
  chrome_trace::EventsReader{file.bytes, options_, merger}.run();
  counts.records += merger.records();
  const Nanoseconds base =
      read_about(list->before, merger, file.bytes.offset(), trace, reading.report);
  reading.trace = std::move(builder).finish(std::move(trace), base);
  counts.events += reading.trace->slices.size() + reading.trace->memory.size();
}

} // namespace debrief::ingest
