// The one exception of debrief: something the user can repair.
//
// The message is one sentence that says what is wrong, where, and how to repair it. It ends the
// program with the exit code below; everything that can be read around (a broken line, a cut-off
// file) is counted in the job's reading report instead and never thrown.
#pragma once

#include <stdexcept>
#include <string>

namespace debrief {

/// The program's exit codes; documented in docs/debrief.1 and relied on by CI scripts.
enum class ExitCode {
  done = 0,
  check_failed = 1, ///< `check` found a failure
  bad_input = 2,    ///< wrong usage, or input that cannot be read at all
  incomplete = 3,   ///< --strict, and something of the input was lost
  internal = 70,    ///< not enough memory, or a bug: EX_SOFTWARE of sysexits.h
};

class Error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

} // namespace debrief
