// What a recording says about itself: job.json in the job's folder, in the words of SageMaker's
// DescribeTrainingJob where it has some, and "Recording" for the rest (docs/recording.md).
//
// No secret gets there: of the environment only variables of a list, and of every text what
// util/redact.h leaves.
#pragma once

#include "record/command.h"
#include "util/time.h"

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace debrief::record {

/// What may be known of a GPU.
struct GpuInfo {
  std::string name; ///< "NVIDIA H200"
  std::string uuid; ///< empty: unknown
};

/// What was done about the job while it ran (--on), for the report.
struct TakenAction {
  Microseconds time = 0;
  std::string condition; ///< "idle_gpus for 10min"
  std::string action;    ///< "stop", "webhook", "email", "run"
  std::string why;
  std::string outcome; ///< "done", or what went wrong
};

struct Description {
  std::string name; ///< of the job
  std::vector<std::string> command;
  std::string host;
  std::size_t cores = 0; ///< that the job may run on
  std::vector<GpuInfo> gpus;
  std::string driver; ///< of the GPUs
  std::string commit; ///< of the working folder; empty: none
  Environment environment;
  std::chrono::milliseconds interval{500};
  Microseconds start = 0;
  std::optional<Microseconds> end{};
  std::optional<Ending> ending{};
  bool interrupted = false; ///< asked to end, by a person or a scheduler
  std::vector<std::string> notes;
  std::vector<TakenAction> actions{}; ///< in their order
};

/// Whether a person, a scheduler or a time limit ended the command: by a signal that it or this
/// program was sent, or that a shell or timeout(1) says in its exit code.
bool was_interrupted(const Ending& ending, const std::vector<std::string>& command);

/// The file's text.
std::string to_job_json(const Description& description);

/// Of this process's environment: who runs what where, as schedulers and launchers say it.
Environment known_environment();

/// The commit of the repository that the folder is in; empty where it is in none. No program is
/// run.
std::string git_commit(const std::string& folder);

/// What a command is called: "python3 -u train.py --lr 1" -> "train".
std::string name_of_command(const std::vector<std::string>& words);

/// Of a launcher that starts a process per rank (srun, mpirun): which one this is, 0 where there is
/// none. torchrun is started once per node, and starts ranks itself.
int launched_rank();
/// How many nodes there are; 1 where nobody says.
int launched_nodes();

} // namespace debrief::record
