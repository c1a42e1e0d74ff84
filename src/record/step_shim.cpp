#include "record/step_shim.h"

#include "record/embedded_shim.h"
#include "record/node_name.h"
#include "record/shim_log.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>

namespace debrief::record {

namespace {

namespace fs = std::filesystem;

bool write_file(const fs::path& path, std::string_view text) {
  std::ofstream file{path, std::ios::binary};
  file << text;
  file.close();
  return static_cast<bool>(file);
}

std::string_view value_of(const Environment& environment, std::string_view name) {
  const auto found = std::find_if(environment.begin(), environment.end(),
                                  [&](const auto& entry) { return entry.first == name; });
  return found == environment.end() ? std::string_view{} : std::string_view{found->second};
}

/// Whether a process has written a timeline; its first event makes the file.
bool has_timeline(const fs::path& job_folder) {
  std::error_code error;
  fs::recursive_directory_iterator entry{job_folder / "profiler-output/framework/pevents", error};
  for (; !error && entry != fs::recursive_directory_iterator{}; entry.increment(error))
    if (entry->path().filename().string().ends_with("_pythontimeline.json")) return true;
  return false;
}

/// Where the shim's files write; of the recorder that this one runs in, until it is set anew.
constexpr const char* kLogVariable = "DEBRIEF_RECORD_LOG";

/// Tells the recorder that this one runs in that its processes' steps are marked here.
void tell_outer(const std::string& log) {
  if (log.empty()) return;
  const int file = ::open(log.c_str(), O_WRONLY | O_APPEND | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return;
  const std::string line = fmt::format("{} recorder\n", ::getpid());
  static_cast<void>(!::write(file, line.data(), line.size()));
  ::close(file);
}

std::string without_steps(const ShimLog& log) {
  if (log.recorder) return "Steps are in the recording of the debrief record that the command ran.";
  if (!log.errors.empty())
    return fmt::format("Steps are missing: marking them failed ({}).", log.errors.front());
  if (!log.python)
    return "No steps were marked: the command ran no Python, or ran it with -I, -E or -S, which "
           "ignore PYTHONPATH.";
  if (log.torch.empty()) return "No steps were marked: the command did not import PyTorch.";
  return fmt::format("No steps were marked: PyTorch {} was imported, but no optimizer stepped and "
                     "no DataLoader was read.",
                     log.torch.front());
}

constexpr std::string_view kSnapshotFolder = "traces";

bool has_snapshot(const fs::path& job_folder) {
  std::error_code error;
  fs::directory_iterator entry{job_folder / kSnapshotFolder, error};
  for (; !error && entry != fs::directory_iterator{}; entry.increment(error))
    if (entry->path().filename().string().ends_with(".memory.pickle")) return true;
  return false;
}

std::string without_snapshot(const ShimLog& log) {
  if (!log.memory.empty())
    return fmt::format("There is no memory snapshot: PyTorch failed to take it ({}).",
                       log.memory.front());
  return "There is no memory snapshot: no process used CUDA and stepped its optimizer ten times.";
}

} // namespace

StepShim::StepShim(const RecorderFolder& folder, const fs::path& job_folder, bool memory,
                   bool stacks)
    : folder_(folder)
    , memory_(memory)
    , stacks_(stacks) {
  std::error_code error;
  job_folder_ = fs::absolute(job_folder, error);
  std::string trouble = error ? error.message() : folder_.trouble();
  if (trouble.empty()) {
    ready_ = write_file(log(), "");
    for (const EmbeddedFile& file : embedded_shim())
      ready_ = ready_ && write_file(folder_.path() / file.name, file.text);
    if (!ready_) trouble = "its files cannot be written to " + folder_.path().string();
  }
  if (!ready_) notes_.push_back(fmt::format("Steps are not marked: {}.", trouble));
}

fs::path StepShim::log() const {
  return folder_.path().empty() ? fs::path{} : folder_.path() / "log";
}

fs::path StepShim::failures() const {
  return folder_.path().empty() ? fs::path{} : folder_.path() / "failures";
}

Environment StepShim::environment(const Environment& existing) const {
  if (!ready_) return {};
  // An empty part of PYTHONPATH would be the current folder.
  const std::string_view before = value_of(existing, "PYTHONPATH");
  std::string path = folder_.path().string();
  if (!before.empty()) path = fmt::format("{}:{}", path, before);
  tell_outer(std::string{value_of(existing, kLogVariable)});
  Environment variables{{"PYTHONPATH", path},
                        {"DEBRIEF_RECORD_STEPS", job_folder_.string()},
                        {"DEBRIEF_RECORD_NODE", node_name()},
                        {"DEBRIEF_RECORD_STACKS", stacks_ ? job_folder_ / "stacks" : fs::path{}},
                        {kLogVariable, log().string()}};
  if (memory_)
    variables.emplace_back("DEBRIEF_RECORD_MEMORY", (job_folder_ / kSnapshotFolder).string());
  return variables;
}

void StepShim::finish() {
  if (!ready_) return;
  const ShimLog found = ShimLogReader{log()}.look();
  if (!has_timeline(job_folder_))
    notes_.push_back(without_steps(found));
  else if (!found.errors.empty())
    notes_.push_back(fmt::format("Steps may be incomplete: marking them failed in a process ({}).",
                                 found.errors.front()));
  if (!found.stacks.empty())
    notes_.push_back(
        fmt::format("Python stacks may be incomplete: sampling them failed in a process ({}).",
                    found.stacks.front()));
  if (memory_ && !has_snapshot(job_folder_)) notes_.push_back(without_snapshot(found));
}

} // namespace debrief::record
