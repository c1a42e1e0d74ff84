// Which Python functions the job's processes were in, as their stacks were sampled.
#pragma once

#include "result/enum_names.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace debrief::result {

/// Whose code it is.
enum class CodeOrigin { own, package, python };

template <>
inline constexpr auto kNames<CodeOrigin> = std::to_array<const char*>({"own", "package", "python"});

/// A place in the code.
struct PythonPlace {
  std::string function;
  std::string file; ///< relative to the working folder, to installed packages, or to Python's own
  std::int64_t line = 0; ///< 0: not known
  CodeOrigin origin = CodeOrigin::own;
};

/// The line of the job's own code that most of some time was spent in.
struct PythonLine {
  PythonPlace place;         ///< in a package, where none of the job's own code was on the stacks
  double share = 0;          ///< of the sampled time, 0 to 1, in which the line was on the stack
  double function_share = 0; ///< the same of the whole function
  double own_share = 0;      ///< the same, and no other function of the job's own was within it
  std::optional<PythonPlace> second; ///< the function with the next most of own_share
  double second_share = 0;           ///< its own_share
  std::optional<PythonPlace> callee; ///< the function of others that it mostly calls, and where
  std::optional<PythonPlace> leaf;   ///< where that mostly is, if it is another one
  double sampled = 0;                ///< of all the time, the share that was sampled
};

struct PythonFunction {
  PythonPlace place; ///< with the line in which most of its time was spent
  double self_seconds = 0;
  double total_seconds = 0; ///< with what it calls
  double own_seconds = 0;   ///< with what it calls of others: no other own function was within it
};

/// When in the job.
enum class PythonPhase { job, startup, training, evaluation, saving, end };

template <>
inline constexpr auto kNames<PythonPhase> =
    std::to_array<const char*>({"job", "startup", "training", "evaluation", "saving", "end"});

enum class PythonThreads { main, others, loader_workers };

template <>
inline constexpr auto kNames<PythonThreads> = std::to_array<const char*>({"main", "others",
                                                                          "loader_workers"});

/// What threads of a kind did in a phase.
struct PythonProfile {
  PythonPhase phase = PythonPhase::job;
  PythonThreads threads = PythonThreads::main;
  double seconds = 0;                    ///< sampled, of all these threads together
  std::vector<PythonFunction> functions; ///< those with the most time, most of their own first
  std::int64_t function_count = 0;       ///< of all
};

/// How many of a profile's functions are kept.
inline constexpr std::size_t kMostPythonFunctions = 40;

struct PythonStacks {
  std::int64_t processes = 0;
  std::int64_t threads = 0;
  double seconds = 0;                 ///< sampled, of all threads together
  double waited_seconds = 0;          ///< of them, for the interpreter's lock
  std::optional<double> interval;     ///< seconds between samples, of the process with the most
  std::optional<double> cost_percent; ///< of a core, for the sampler of one process
  std::int64_t processes_left_out = 0;
  std::int64_t thread_samples_left_out = 0;
  std::int64_t frames_left_out = 0;
  std::int64_t stacks_left_out = 0;
  std::int64_t full_files = 0;
  std::vector<PythonProfile> profiles; ///< by threads, then in the order of phases

  bool empty() const { return processes == 0 && processes_left_out == 0; }
};

} // namespace debrief::result
