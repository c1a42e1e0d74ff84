#include "ingest/job_description_reader.h"

#include "ingest/field_picker.h"
#include "ingest/whole_json.h"

#include <fmt/format.h>

#include <cctype>
#include <set>
#include <string>
#include <utility>

namespace debrief::ingest {

namespace {

using Json = nlohmann::json;

/// Hyperparameters and rule parameters are texts in SageMaker's answer; other recorders write
/// numbers too.
std::string as_text(const Json& value) {
  return value.is_string() ? value.get<std::string>() : value.dump();
}

void read_rule_parameters(const Json& document, FieldPicker& pick,
                          job::JobDescription& description) {
  const Json* configurations = pick.array(document, "ProfilerRuleConfigurations");
  if (configurations == nullptr) return;
  for (const Json& configuration : *configurations) {
    if (!configuration.is_object()) continue;
    const Json* parameters = pick.object(configuration, "RuleParameters");
    if (parameters == nullptr) continue;
    for (const auto& [key, value] : parameters->items())
      if (key != "rule_to_invoke") description.rule_parameters[key] = as_text(value);
  }
}

/// Letters, digits and '-' of a name, so that it can stand behind a rule's.
std::string instance_name(std::string name) {
  std::erase_if(
      name, [](char c) { return std::isalnum(static_cast<unsigned char>(c)) == 0 && c != '-'; });
  return name;
}

/// Rules on the model: each configuration has one, with parameters of its own. The second of a rule
/// is known by its configuration's name, too: "VanishingGradient:strict".
void read_model_rule_parameters(const Json& document, FieldPicker& pick,
                                job::JobDescription& description) {
  const Json* configurations = pick.array(document, "DebugRuleConfigurations");
  if (configurations == nullptr) return;
  std::set<std::string> known;
  for (const Json& configuration : *configurations) {
    if (!configuration.is_object()) continue;
    const Json* parameters = pick.object(configuration, "RuleParameters");
    if (parameters == nullptr) continue;
    const auto invoked = parameters->find("rule_to_invoke");
    if (invoked == parameters->end() || !invoked->is_string()) continue;
    std::string rule = invoked->get<std::string>();
    if (!known.insert(rule).second) {
      const auto name = configuration.find("RuleConfigurationName");
      if (name == configuration.end() || !name->is_string()) continue;
      rule += ":" + instance_name(name->get<std::string>());
    }
    for (const auto& [key, value] : parameters->items())
      if (key != "rule_to_invoke" && key != "base_trial")
        description.rule_parameters[rule + "_" + key] = as_text(value);
  }
}

/// More, or longer ones, are not the recorder's.
constexpr std::size_t kMostNotes = 20;
constexpr std::size_t kMostActions = 100;
constexpr std::size_t kLongestNote = 500; // bytes

void read_recorder_notes(const Json& recording, FieldPicker& pick,
                         job::JobDescription& description) {
  const Json* notes = pick.array(recording, "Notes");
  if (notes == nullptr) return;
  for (const Json& note : *notes) {
    if (!note.is_string() || description.recorder_notes.size() == kMostNotes) continue;
    if (std::string text = note.get<std::string>(); text.size() <= kLongestNote)
      description.recorder_notes.push_back(std::move(text));
  }
}

/// One that lacks a text has it empty.
void read_recorder_actions(const Json& recording, FieldPicker& pick,
                           job::JobDescription& description) {
  const Json* actions = pick.array(recording, "Actions");
  if (actions == nullptr) return;
  for (const Json& action : *actions) {
    if (!action.is_object() || description.recorder_actions.size() == kMostActions) continue;
    const auto text = [&](const char* key) {
      std::string value = pick.text(action, key).value_or("");
      return value.size() <= kLongestNote ? value : std::string{};
    };
    description.recorder_actions.push_back({pick.time(action, "Time"), text("Condition"),
                                            text("Action"), text("Why"), text("Outcome")});
  }
}

job::JobDescription describe(const Json& document, FieldPicker& pick) {
  job::JobDescription description;
  description.name = pick.text(document, "TrainingJobName");
  description.start = pick.time(document, "TrainingStartTime");
  description.end = pick.time(document, "TrainingEndTime");
  description.status = pick.text(document, "TrainingJobStatus");
  description.framework = pick.text(document, "Framework");
  if (const Json* resources = pick.object(document, "ResourceConfig")) {
    description.instance_type = pick.text(*resources, "InstanceType");
    if (const auto count = pick.number(*resources, "InstanceCount");
        count && *count >= 1 && *count < 1e6)
      description.instance_count = static_cast<std::int64_t>(*count);
  }
  if (const Json* algorithm = pick.object(document, "AlgorithmSpecification"))
    if (const auto image = pick.text(*algorithm, "TrainingImage"); image && !description.framework)
      description.framework = framework_of_image(*image);
  if (const Json* profiler = pick.object(document, "ProfilerConfig"))
    description.sampling_interval_ms = pick.number(*profiler, "ProfilingIntervalInMilliseconds");
  if (const Json* parameters = pick.object(document, "HyperParameters"))
    for (const auto& [key, value] : parameters->items())
      description.hyperparameters[key] = as_text(value);
  read_rule_parameters(document, pick, description);
  read_model_rule_parameters(document, pick, description);
  if (const Json* recording = pick.object(document, "Recording")) {
    if (const auto recorder = pick.text(*recording, "Recorder");
        recorder && recorder->size() <= kLongestNote)
      description.recorder = recorder;
    read_recorder_notes(*recording, pick, description);
    read_recorder_actions(*recording, pick, description);
    description.exit_code = pick.small_number(*recording, "ExitCode");
    description.signal = pick.small_number(*recording, "Signal");
  }
  return description;
}

} // namespace

std::optional<std::string> framework_of_image(std::string_view image) {
  const std::string_view name = image.substr(image.rfind('/') + 1);
  const std::size_t colon = name.find(':');
  for (const std::string_view framework :
       {"pytorch", "tensorflow", "mxnet", "huggingface", "xgboost"}) {
    if (!name.starts_with(framework)) continue;
    if (colon == name.npos) return std::string{framework};
    const std::string_view tag = name.substr(colon + 1);
    return fmt::format("{} {}", framework, tag.substr(0, tag.find('-')));
  }
  return std::nullopt;
}

bool JobDescriptionReader::recognizes(const InputFile& file) const {
  return looks_like_object_with(file.head(), "TrainingJobName") || file.name() == "job.json" ||
         file.name() == "training-job.json";
}

void JobDescriptionReader::read(InputFile& file, FileReading& reading,
                                job::SourceCounts& counts) const {
  ++counts.records;
  const auto [document, trouble] = read_whole_json(file.bytes);
  if (!trouble.empty()) {
    job::ReadingReport::count(reading.report.damaged_files,
                              fmt::format("job description {}", trouble), std::string{file.path});
    return;
  }
  FieldPicker pick{file.path, "the job's description", reading.report};
  reading.description = describe(document, pick);
}

} // namespace debrief::ingest
