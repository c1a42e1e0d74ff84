#include "cli/terminal.h"

#include <fmt/format.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace debrief::cli {

namespace {

constexpr std::chrono::milliseconds kBeforeFirst{500};
constexpr std::chrono::milliseconds kBetween{100};

} // namespace

void print_to_stderr(std::string_view text) {
  static_cast<void>(std::fwrite(text.data(), 1, text.size(), stderr));
}

Progress::Progress(bool quiet, const char* doing, const char* noun)
    : doing_(doing)
    , noun_(noun)
    , enabled_(!quiet && ::isatty(STDERR_FILENO) == 1)
    , begin_(Clock::now())
    , last_(begin_) {}

Progress::~Progress() {
  if (shown_) print_to_stderr("\r\x1b[K");
}

void Progress::show(std::size_t done, std::size_t total) {
  if (!enabled_) return;
  const auto now = Clock::now();
  if (now - begin_ < kBeforeFirst || now - last_ < kBetween) return;
  last_ = now;
  shown_ = true;
  print_to_stderr(fmt::format("\r\x1b[K{} {} of {} {}", doing_, done, total, noun_));
  std::fflush(stderr);
}

bool wants_color(bool no_color_option, int stream) {
  const char* variable = std::getenv("NO_COLOR");
  return !no_color_option && (variable == nullptr || *variable == '\0') && ::isatty(stream) == 1;
}

void print_error(std::string_view sentence, bool color) {
  print_to_stderr(fmt::format("{}debrief:{} {}\n", color ? "\x1b[1;31m" : "",
                              color ? "\x1b[0m" : "", sentence));
}

void print_note(std::string_view sentence) {
  print_to_stderr(fmt::format("debrief: note: {}\n", sentence));
}

} // namespace debrief::cli
