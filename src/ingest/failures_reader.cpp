#include "ingest/failures_reader.h"

#include "ingest/field_picker.h"
#include "ingest/whole_json.h"
#include "util/text.h"

#include <fmt/format.h>

#include <string>

namespace debrief::ingest {

namespace {

/// Of a type, a file, a function; in bytes.
constexpr std::size_t kLongestName = 200;

std::string name_in(const nlohmann::json& object, const char* key, FieldPicker& pick) {
  return cut_off(pick.text(object, key).value_or(""), kLongestName);
}

void read_frames(const nlohmann::json& object, FieldPicker& pick, job::Failure& failure) {
  const nlohmann::json* frames = pick.array(object, "Frames");
  if (frames == nullptr) return;
  for (const nlohmann::json& frame : *frames) {
    if (!frame.is_object() || failure.frames.size() == job::kMostFrames) continue;
    failure.frames.push_back({name_in(frame, "File", pick),
                              pick.whole_number(frame, "Line").value_or(0),
                              name_in(frame, "Function", pick), pick.truth(frame, "Library")});
  }
}

job::Failure failure_of(const nlohmann::json& object, FieldPicker& pick) {
  job::Failure failure;
  failure.type = name_in(object, "Type", pick);
  failure.message = cut_off(pick.text(object, "Message").value_or(""), job::kLongestFailureMessage);
  failure.time = pick.time(object, "Time");
  failure.process = pick.whole_number(object, "Process");
  failure.parent = pick.whole_number(object, "Parent");
  failure.rank = pick.whole_number(object, "Rank");
  failure.attempt = pick.whole_number(object, "Attempt");
  failure.step = pick.whole_number(object, "Step");
  failure.exit_code = pick.small_number(object, "ExitCode");
  failure.signal = pick.small_number(object, "Signal");
  failure.ended_command = pick.truth(object, "EndedCommand");
  read_frames(object, pick, failure);
  return failure;
}

} // namespace

bool FailuresReader::recognizes(const InputFile& file) const {
  return looks_like_object_with(file.head(), "DebriefFailures");
}

void FailuresReader::read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const {
  const auto [document, trouble] = read_whole_json(file.bytes);
  if (!trouble.empty()) {
    job::ReadingReport::count(reading.report.damaged_files,
                              fmt::format("list of failures {}", trouble), std::string{file.path});
    return;
  }
  FieldPicker pick{file.path, "a list of failures", reading.report};
  const std::string node = name_in(document, "Host", pick);
  const nlohmann::json* failures = pick.array(document, "Failures");
  if (failures == nullptr) return;
  for (const nlohmann::json& one : *failures) {
    if (!one.is_object() || reading.failures.size() == job::kMostFailures) {
      job::ReadingReport::count(reading.report.skipped, "entry of a list of failures is none",
                                std::string{file.path});
      continue;
    }
    ++counts.records;
    reading.failures.push_back(failure_of(one, pick));
    reading.failures.back().node = node;
  }
}

} // namespace debrief::ingest
