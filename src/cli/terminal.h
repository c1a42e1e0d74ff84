// What goes to a person at a terminal: progress, notes and errors, all on stderr;
// and whether what it gets may have colors.
#pragma once

#include <chrono>
#include <cstddef>
#include <string_view>

namespace debrief::cli {

/// As it is. Where stderr cannot be written, such as on a full disk, the work matters more: nothing
/// is said, and what was asked for goes on.
void print_to_stderr(std::string_view text);

/// "reading 120 of 960 files", rewritten in place; only where stderr is a terminal and not
/// --quiet, and only once the work has lasted long enough to wonder. Cleared when it goes out of
/// scope.
class Progress {
public:
  /// `doing`: "reading"; `noun`: "files"; static texts.
  explicit Progress(bool quiet, const char* doing = "reading", const char* noun = "files");
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(std::size_t done, std::size_t total);

private:
  using Clock = std::chrono::steady_clock;
  const char* doing_;
  const char* noun_;
  bool enabled_;
  bool shown_ = false;
  Clock::time_point begin_;
  Clock::time_point last_;
};

/// "debrief: <sentence>" on stderr, red where that is a terminal that wants color.
void print_error(std::string_view sentence, bool color);

/// "debrief: note: <sentence>" on stderr.
void print_note(std::string_view sentence);

/// Whether the stream (a file descriptor) is a terminal, NO_COLOR is not set and --no-color was not
/// given.
bool wants_color(bool no_color_option, int stream);

} // namespace debrief::cli
