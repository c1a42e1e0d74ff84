// How the job came to a bad end: the failure that the others follow from.
#pragma once

#include "util/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace debrief::result {

/// A call that was going on where the exception was raised.
struct FailureFrame {
  std::string file;      ///< relative to the working folder or to site-packages, or the name alone
  std::int64_t line = 0; ///< 0: not known
  std::string function;
  bool of_library = false; ///< Python's own or an installed package's, not the job's
};

struct Failure {
  std::optional<std::string> type;    ///< of the exception; absent: none is known
  std::optional<std::string> message; ///< its first line
  std::vector<FailureFrame> frames;   ///< the last ones, the innermost last
  std::optional<Microseconds> time;
  std::optional<std::string> node;
  std::optional<std::int64_t> process; ///< its number on the node
  std::optional<std::int64_t> rank;
  std::optional<std::int64_t> step;      ///< of training, in which it came
  std::optional<std::int64_t> exit_code; ///< of the process, or of the command where none is known
  std::optional<std::int64_t> signal;
  std::int64_t processes = 0; ///< that failed, with those that followed
};

} // namespace debrief::result
