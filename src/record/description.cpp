#include "record/description.h"

#include "util/redact.h"
#include "util/text.h"
#include "util/version.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <array>
#include <csignal>
#include <cstdlib>
#include <string_view>

namespace debrief::record {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::array kKnownVariables{
    // Slurm
    "SLURM_JOB_ID", "SLURM_JOB_NAME", "SLURM_JOB_PARTITION", "SLURM_JOB_ACCOUNT", "SLURM_JOB_USER",
    "SLURM_JOB_NUM_NODES", "SLURM_NNODES", "SLURM_NTASKS", "SLURM_NODEID", "SLURM_PROCID",
    "SLURM_LOCALID", "SLURM_NODELIST", "SLURM_ARRAY_JOB_ID", "SLURM_ARRAY_TASK_ID",
    "SLURM_RESTART_COUNT", "SLURM_CPUS_PER_TASK", "SLURM_GPUS_ON_NODE", "SLURM_CLUSTER_NAME",
    // torchrun, and launchers that set what it sets
    "RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", "GROUP_RANK", "NODE_RANK",
    "MASTER_ADDR", "MASTER_PORT", "TORCHELASTIC_RUN_ID", "TORCHELASTIC_RESTART_COUNT",
    "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "PMI_RANK", "PMI_SIZE",
    // Kubernetes and services on top of it
    "KUBERNETES_SERVICE_HOST", "POD_NAME", "POD_NAMESPACE", "NODE_NAME", "JOB_NAME",
    "JOB_COMPLETION_INDEX", "AWS_BATCH_JOB_ID", "AWS_BATCH_JOB_ARRAY_INDEX", "TRAINING_JOB_NAME",
    // What decides how fast it runs
    "CUDA_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "OMP_NUM_THREADS", "MKL_NUM_THREADS",
    "PYTORCH_CUDA_ALLOC_CONF", "PYTORCH_ALLOC_CONF", "NCCL_P2P_DISABLE", "NCCL_IB_DISABLE",
    "NCCL_SOCKET_IFNAME", "CUDA_LAUNCH_BLOCKING", "TORCH_DISTRIBUTED_DEBUG"};

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

std::optional<int> number_in(const char* name) {
  const std::string text = variable(name);
  char* end = nullptr;
  const long number = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || number < 0 || number > 1'000'000) return std::nullopt;
  return static_cast<int>(number);
}

/// SageMaker's words; a recording that was cut off stays "InProgress".
const char* status_of(const Description& description) {
  if (!description.end) return "InProgress";
  if (description.ending && description.ending->code == 0) return "Completed";
  if (description.interrupted) return "Stopped";
  return description.ending ? "Failed" : "Completed";
}

std::string machine_of(const Description& description) {
  std::string text;
  if (!description.gpus.empty()) {
    // Most machines have GPUs of one kind.
    text = fmt::format("{}x {}, ", description.gpus.size(), description.gpus.front().name);
  }
  return text + fmt::format("{} vCPU", description.cores);
}

Json recording_of(const Description& description) {
  Json recording;
  recording["Recorder"] = fmt::format("debrief {}", kVersion);
  recording["Command"] = without_secrets(description.command);
  recording["Host"] = description.host;
  recording["Cores"] = description.cores;
  recording["Gpus"] = Json::array();
  for (const GpuInfo& gpu : description.gpus)
    recording["Gpus"].push_back({{"Name", gpu.name}, {"Uuid", gpu.uuid}});
  if (!description.driver.empty()) recording["Driver"] = description.driver;
  if (!description.commit.empty()) recording["GitCommit"] = description.commit;
  recording["Environment"] = Json::object();
  for (const auto& [name, value] : description.environment)
    recording["Environment"][name] = without_secrets(name, value);
  if (description.ending) {
    recording["ExitCode"] = description.ending->code;
    if (description.ending->signal) recording["Signal"] = *description.ending->signal;
  }
  recording["Notes"] = Json::array();
  for (const std::string& note : description.notes) // may quote what a process said
    recording["Notes"].push_back(without_secrets(note));
  for (const TakenAction& taken : description.actions)
    recording["Actions"].push_back({{"Time", to_iso8601(taken.time)},
                                    {"Condition", taken.condition},
                                    {"Action", taken.action},
                                    {"Why", taken.why},
                                    {"Outcome", taken.outcome}});
  return recording;
}

} // namespace

bool was_interrupted(const Ending& ending, const std::vector<std::string>& command) {
  constexpr int kOfShell = 128; // and the number of the signal that ended a shell's command
  constexpr int kOfTimeout = 124;
  if (ending.code == 0) return false;
  if (ending.asked) return true;
  const std::string_view program = command.empty() ? "" : std::string_view{command.front()};
  if (ending.code == kOfTimeout && program.substr(program.rfind('/') + 1) == "timeout") return true;
  const int signal = ending.signal.value_or(ending.code - kOfShell);
  return signal == SIGTERM || signal == SIGINT || signal == SIGHUP;
}

std::string to_job_json(const Description& description) {
  Json json;
  json["TrainingJobName"] = description.name;
  json["TrainingJobStatus"] = status_of(description);
  json["TrainingStartTime"] = to_iso8601(description.start);
  if (description.end) json["TrainingEndTime"] = to_iso8601(*description.end);
  json["ResourceConfig"] = {{"InstanceType", machine_of(description)},
                            {"InstanceCount", launched_nodes()}};
  json["ProfilerConfig"] = {{"ProfilingIntervalInMilliseconds", description.interval.count()}};
  json["Recording"] = recording_of(description);
  // Names may be no UTF-8.
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Environment known_environment() {
  Environment known;
  for (const char* name : kKnownVariables)
    if (const char* value = std::getenv(name)) known.emplace_back(name, value);
  return known;
}

std::string name_of_command(const std::vector<std::string>& words) {
  // The script, where there is one; else what follows "-m"; else the program.
  std::string name = words.empty() ? "" : words.front();
  for (std::size_t at = 1; at < words.size(); ++at) {
    if (words[at].ends_with(".py") || words[at].ends_with(".sh")) {
      name = words[at];
      break;
    }
    if (words[at - 1] == "-m") name = words[at];
  }
  name = name.substr(name.rfind('/') + 1);
  for (const std::string_view ending : {".py", ".sh"})
    if (name.ends_with(ending)) name.resize(name.size() - ending.size());
  return safe_file_name(name, "job");
}

int launched_rank() {
  for (const char* name : {"SLURM_PROCID", "OMPI_COMM_WORLD_RANK", "PMI_RANK"})
    if (const auto rank = number_in(name)) return *rank;
  return 0;
}

int launched_nodes() {
  for (const char* name : {"SLURM_JOB_NUM_NODES", "SLURM_NNODES"})
    if (const auto nodes = number_in(name); nodes && *nodes > 0) return *nodes;
  return 1;
}

} // namespace debrief::record
