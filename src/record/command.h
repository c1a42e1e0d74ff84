// A command that runs as if it had been started by itself: it has this program's standard streams,
// process group and terminal, and the signals that this program is sent.
//
// It lives on where this program dies. Orphans of it become children of this program, which waits
// for them, so that their time is known.
#pragma once

#include "record/environment.h"

#include <sys/types.h>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace debrief::record {

/// How a command ended.
struct Ending {
  int code = 0;                ///< of its exit; 128 and the signal's number where one ended it
  std::optional<int> signal{}; ///< that ended it
};

/// From here on the signals that are passed on, and SIGCHLD, wait for Command::wait(). Before any
/// thread starts: they do as their maker does.
void hold_signals();

class Command {
public:
  /// Starts it, with these variables beside this program's own. `out`, where given, is a descriptor
  /// that becomes its standard output.
  Command(const std::vector<std::string>& words, const Environment& environment, int out = -1);

  /// The command's process; 0 where it could not be started.
  pid_t pid() const { return pid_; }

  /// Why it could not be started, an errno; 0: it was.
  int refusal() const { return refusal_; }

  /// Waits for its end and passes signals on. A command that could not be started ends with 127
  /// where it does not exist, else with 126, as in a shell.
  Ending wait();

private:
  [[noreturn]] void become(const std::vector<std::string>& words, const Environment& environment,
                           int out, int trouble) const;

  pid_t pid_ = 0;
  int refusal_ = 0;
};

/// Waits until a process that is not this one's child has ended, or until this program is asked to
/// end: then false.
bool wait_for_process(pid_t pid);

} // namespace debrief::record
