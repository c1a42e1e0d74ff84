// /proc/PID/stat.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace debrief::record {

/// Times in ticks.
struct ProcessStat {
  pid_t parent = 0;
  std::uint64_t ticks = 0; ///< its own and that of children it waited for
  std::uint64_t threads = 0;
  std::uint64_t start = 0; ///< ticks since boot: two processes of one number differ in it
  std::uint64_t pages = 0; ///< resident
  bool ended = false;      ///< and nobody has waited for it yet
};

/// Nothing where the text is no such file's.
std::optional<ProcessStat> parse_process_stat(std::string_view text);

} // namespace debrief::record
