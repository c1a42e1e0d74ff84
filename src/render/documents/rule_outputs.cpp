#include "render/documents/rule_outputs.h"

#include "render/documents/python_json.h"
#include "util/error.h"
#include "util/pending_file.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace debrief::render {

std::string rule_output_text(const result::RuleRow& rule) {
  if (!rule.recorded_text.empty()) return rule.recorded_text;
  std::string parameters;
  for (const auto& [name, value] : rule.parameters)
    parameters += fmt::format("{}{}:{}", parameters.empty() ? "" : "\n", name, value);
  nlohmann::ordered_json document;
  document["RuleTriggered"] = rule.triggered;
  document["Violations"] = rule.violations;
  document["Details"] = rule.details.is_null() ? nlohmann::ordered_json::object() : rule.details;
  document["Datapoints"] = rule.datapoints;
  document["RuleParameters"] = parameters;
  return to_python_json(document);
}

std::size_t write_rule_outputs(const result::Result& result, const std::string& folder) {
  if (std::all_of(result.rules.begin(), result.rules.end(),
                  [](const result::RuleRow& rule) { return !rule.recorded_text.empty(); }))
    throw Error(fmt::format("--rule-outputs {}: the job already has SageMaker's rule outputs and "
                            "no data to compute them from; copy those",
                            printable(folder)));
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw Error(
        fmt::format("--rule-outputs {}: cannot create the folder ({}); choose another place",
                    printable(folder), error.message()));
  std::size_t bytes = 0;
  for (const result::RuleRow& rule : result.rules) {
    const std::string text = rule_output_text(rule);
    write_file((std::filesystem::path{folder} / (rule.rule + ".json")).string(), text);
    bytes += text.size();
  }
  return bytes;
}

} // namespace debrief::render
