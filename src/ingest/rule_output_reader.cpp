#include "ingest/rule_output_reader.h"

#include "ingest/rule_output_ranges.h"
#include "ingest/whole_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace debrief::ingest {

namespace {

/// 0 where there is none, or what stands there is no count.
std::int64_t count_in(const nlohmann::json& document, const char* key) {
  constexpr double kMaxValue = 9e15; // whole numbers beyond are not exact in JSON's doubles
  const auto found = document.find(key);
  if (found == document.end() || !found->is_number()) return 0;
  const auto number = found->get<double>();
  return number >= 0 && number <= kMaxValue ? static_cast<std::int64_t>(number) : 0;
}

/// Whether no number in it is beyond what anything measures: sums of such would be no numbers.
bool is_measured(const nlohmann::json& value) {
  constexpr double kMaxValue = 1e18; // nanoseconds of thirty years
  if (value.is_number()) return std::abs(value.get<double>()) <= kMaxValue;
  return !value.is_structured() || std::all_of(value.begin(), value.end(), is_measured);
}

} // namespace

bool RuleOutputReader::recognizes(const InputFile& file) const {
  return looks_like_object_with(file.head(), "RuleTriggered");
}

void RuleOutputReader::read(InputFile& file, FileReading& reading,
                            job::SourceCounts& counts) const {
  ++counts.records;
  job::RuleOutput output;
  auto [document, trouble] = read_whole_json(file.bytes, &output.text);
  const auto details = trouble.empty() ? document.find("Details") : document.end();
  if (details == document.end() || !details->is_object()) {
    job::ReadingReport::count(
        reading.report.damaged_files,
        fmt::format("rule output {}", trouble.empty() ? "has no Details" : trouble),
        std::string{file.path});
    return;
  }
  if (!is_measured(*details)) {
    job::ReadingReport::count(reading.report.damaged_files,
                              "rule output has an implausibly large number",
                              std::string{file.path});
    return;
  }
  output.rule = file.name().substr(0, file.name().find('.'));
  output.triggered = count_in(document, "RuleTriggered");
  output.violations = count_in(document, "Violations");
  output.datapoints = count_in(document, "Datapoints");
  if (const auto found = document.find("RuleParameters");
      found != document.end() && found->is_string())
    output.parameters = found->get<std::string>();
  if (const std::uint64_t impossible = drop_impossible_numbers(output.rule, *details))
    job::ReadingReport::count(reading.report.skipped,
                              "number of a rule output that is not a measurement",
                              std::string{file.path}, impossible);
  output.set_details(*details);
  reading.rule_output = std::move(output);
}

} // namespace debrief::ingest
