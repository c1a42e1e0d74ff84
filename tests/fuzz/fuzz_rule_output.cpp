// A rule's file, and everything that is made of one: the first byte chooses which rule it is.
#include "fuzz.h"
#include "ingest/rule_output_reader.h"
#include "pipeline/analyse.h"
#include "result/json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace debrief;
  if (size == 0) return 0;
  const auto rules = all_rules();
  const std::string name = rules[data[0] % rules.size()].declaration.name;
  FileReading reading =
      fuzz::reading_of(RuleOutputReader{}, (name + ".json").c_str(), data + 1, size - 1);
  if (!reading.rule_output) return 0;
  Job job;
  job.rule_outputs.push_back(std::move(*reading.rule_output));
  job.events = EventColumns{}.finish();
  StageClock clock;
  result::to_json_text(analyse(job, {}, clock));
  return 0;
}
