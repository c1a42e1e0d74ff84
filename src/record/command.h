// A command that runs as if it had been started by itself: it has this program's standard streams,
// process group and terminal, and the signals that this program is sent.
//
// It lives on where this program dies. Orphans of it become children of this program, which waits
// for them, so that their time is known.
#pragma once

#include "record/environment.h"

#include <sys/resource.h>
#include <sys/types.h>

#include <chrono>
#include <optional>
#include <string>
#include <vector>

namespace debrief::record {

/// How a command ended.
struct Ending {
  int code = 0;                ///< of its exit; 128 and the signal's number where one ended it
  std::optional<int> signal{}; ///< that ended it
  std::optional<int> asked{};  ///< the signal by which this program was asked to end, not long ago
};

/// From here on the signals that are passed on, and SIGCHLD, wait for Command::wait(). Before any
/// thread starts: they do as their maker does.
void hold_signals();

/// What is done while a command runs, on the thread that waits for it.
class Meanwhile {
public:
  Meanwhile() = default;
  virtual ~Meanwhile() = default;
  Meanwhile(const Meanwhile&) = delete;
  Meanwhile& operator=(const Meanwhile&) = delete;

  /// Does what is due; returns for how long nothing will be.
  virtual std::chrono::milliseconds look() = 0;

  /// Another child of this process has ended: a helper, or an orphan of the command's.
  virtual void child_ended(pid_t pid, int status, const rusage& used) = 0;
};

struct CommandOptions {
  int out = -1;       ///< a descriptor that becomes its standard output
  bool mute = false;  ///< its errors go nowhere
  bool aside = false; ///< a helper that must not hold up the command: a process group of its own,
                      ///< the lowest priority, the first to go where memory is short
};

class Command {
public:
  /// Starts it, with these variables beside this program's own.
  Command(const std::vector<std::string>& words, const Environment& environment,
          const CommandOptions& options = {});

  /// The command's process; 0 where it could not be started.
  pid_t pid() const { return pid_; }

  /// Why it could not be started, an errno; 0: it was.
  int refusal() const { return refusal_; }

  /// Waits for its end and passes signals on. A command that could not be started ends with 127
  /// where it does not exist, else with 126, as in a shell.
  Ending wait(Meanwhile* meanwhile = nullptr);

private:
  [[noreturn]] static void become(const std::vector<char*>& arguments,
                                  const Environment& environment, const CommandOptions& options,
                                  int trouble);

  pid_t pid_ = 0;
  int refusal_ = 0;
};

/// Waits until a process that is not this one's child has ended, or until this program is asked to
/// end: then false.
bool wait_for_process(pid_t pid, Meanwhile* meanwhile = nullptr);

/// How a process ended, of what waitpid() says.
Ending ending_of(int status);

} // namespace debrief::record
