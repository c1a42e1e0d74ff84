// A rule's file, and everything that is made of one: the first byte chooses which rule it is, by
// name.
#include "fuzz.h"
#include "ingest/rule_output_reader.h"
#include "pipeline/analyze.h"
#include "result/json.h"

#include <vector>

namespace {

std::vector<std::string> rule_names() {
  std::vector<std::string> names;
  for (const debrief::rules::Rule& rule : debrief::rules::all_rules())
    names.push_back(rule.declaration.name);
  std::sort(names.begin(), names.end());
  return names;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace debrief;
  if (size == 0) return 0;
  static const std::vector<std::string> names = rule_names();
  const std::string& name = names[data[0] % names.size()];
  ingest::FileReading reading =
      fuzz::reading_of(ingest::RuleOutputReader{}, (name + ".json").c_str(), data + 1, size - 1);
  if (!reading.rule_output) return 0;
  job::Job job;
  job.rule_outputs.push_back(std::move(*reading.rule_output));
  job.events = job::EventTableBuilder{}.finish();
  pipeline::StageClock clock;
  result::to_json_text(pipeline::analyze(job, {}, clock));
  return 0;
}
