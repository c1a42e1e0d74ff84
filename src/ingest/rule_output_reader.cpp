#include "ingest/rule_output_reader.h"

#include "ingest/whole_json.h"

namespace debrief {

namespace {

std::int64_t count_in(const nlohmann::ordered_json& document, const char* key) {
  const auto found = document.find(key);
  return found != document.end() && found->is_number() ? found->get<std::int64_t>() : 0;
}

} // namespace

bool RuleOutputReader::recognises(const InputFile& file) const {
  return looks_like_object_with(file.head(), "RuleTriggered");
}

void RuleOutputReader::read(InputFile& file, FileReading& reading, SourceCounts& counts) const {
  ++counts.records;
  const auto document = read_whole_json(file.bytes);
  const auto details = document.is_object() ? document.find("Details") : document.end();
  if (!document.is_object() || details == document.end() || !details->is_object()) {
    ReadingReport::count(reading.report.damaged_files, "not a whole rule output",
                         std::string{file.path});
    return;
  }
  RuleOutput output;
  output.rule = file.name().substr(0, file.name().find('.'));
  output.triggered = count_in(document, "RuleTriggered");
  output.violations = count_in(document, "Violations");
  output.datapoints = count_in(document, "Datapoints");
  if (const auto found = document.find("RuleParameters");
      found != document.end() && found->is_string())
    output.parameters = found->get<std::string>();
  output.details = *details;
  reading.rule_output = std::move(output);
}

} // namespace debrief
