#include "ingest/kineto/reader.h"

#include "ingest/kineto/builder.h"
#include "ingest/kineto/event.h"
#include "ingest/kineto/header.h"
#include "ingest/timeline_reader.h"
#include "ingest/trace_scanner.h"

namespace debrief {

namespace {

namespace ondemand = simdjson::ondemand;

/// What follows the events: `], "traceName": …}`, without its bracket.
std::string rest_of(BlockReader& bytes) {
  constexpr std::size_t kLongest = std::size_t{16} * 1024 * 1024;
  while (bytes.view().size() < kLongest && bytes.more()) {
  }
  std::string rest{bytes.view()};
  bytes.consume(rest.size());
  return rest.starts_with(']') ? rest.substr(1) : std::string{};
}

} // namespace

bool KinetoReader::recognises(const InputFile& file) const {
  return is_pytorch_trace(file);
}

void KinetoReader::read(InputFile& file, FileReading& reading, SourceCounts& counts) const {
  kineto::TraceBuilder builder{file.path, reading.report};
  kineto::Event event;
  ondemand::parser parser;
  std::string header;
  TraceScanner scanner{file.bytes, &header};
  scanner.run(
      [&](const TraceScanner::EventText& text) {
        ondemand::document document;
        ondemand::object object;
        const simdjson::padded_string_view padded{text.text.data(), text.text.size(),
                                                  text.capacity};
        if (parser.iterate(padded).get(document) || document.get_object().get(object) ||
            !kineto::parse_event(object, event))
          return TraceScanner::Verdict::broken;
        if (!event.empty) ++counts.records;
        builder.take(event, text.offset);
        return TraceScanner::Verdict::good;
      },
      [&](std::uint64_t offset) {
        ++counts.records;
        ReadingReport::count(reading.report.skipped, "event is not valid JSON",
                             at_byte(file.path, offset));
      });

  Trace trace;
  Nanoseconds base = 0;
  kineto::read_worker_name(file.name(), trace);
  const std::string rest = rest_of(file.bytes);
  if (!kineto::read_header(header + "]" + rest, trace, base) &&
      !kineto::read_header(header + "]}", trace, base))
    ReadingReport::count(reading.report.damaged_files,
                         "what the trace says about itself is not valid JSON",
                         std::string{file.path});
  trace.path = file.path;
  reading.trace = std::move(builder).finish(std::move(trace), base);
  counts.events += reading.trace->slices.size() + reading.trace->memory.size();
  if (scanner.cut_off() || (scanner.found_events() && rest.empty()))
    ReadingReport::count(reading.report.damaged_files, "trace is cut off: its end is missing",
                         std::string{file.path});
  if (!scanner.found_events())
    ReadingReport::count(reading.report.damaged_files, "no list of events in the file",
                         std::string{file.path});
}

} // namespace debrief
