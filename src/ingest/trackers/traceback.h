// Python's tracebacks in what a program printed, for trackers that keep a run's output. Of several
// the last one counts: an exception that was raised while another was handled ends the program.
#pragma once

#include "job/failure.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace debrief::ingest::trackers {

/// Takes the output in pieces, cut anywhere. All of it is untrusted: what is kept has a bound.
class TracebackReader {
public:
  void add(std::string_view text, std::optional<Microseconds> time);

  /// The last traceback that ended; nothing where there is none.
  const std::optional<job::Failure>& last() const { return last_; }

private:
  void take_line(std::string_view line, std::optional<Microseconds> time);

  std::string line_; ///< as far as it came
  bool is_open_ = false;
  job::Failure open_; ///< the traceback that is being read
  std::optional<job::Failure> last_;
};

/// As a traceback names a file: relative to where packages are installed, else its name alone, or
/// its path where that is relative.
job::Frame frame_in(std::string_view path, std::int64_t line, std::string_view function);

} // namespace debrief::ingest::trackers
