#include "record/process_stat.h"

#include "record/proc_file.h"

#include <array>

namespace debrief::record {

std::optional<ProcessStat> parse_process_stat(std::string_view text) {
  // The name is in parentheses, and may have any characters, these too.
  const std::size_t name_end = text.rfind(')');
  if (name_end == text.npos) return std::nullopt;
  text.remove_prefix(name_end + 1);
  ProcessStat stat;
  stat.ended = next_word(text) == "Z";
  std::array<std::uint64_t, 22> fields{}; // from the state on, which is no number
  for (std::size_t at = 1; at < fields.size(); ++at)
    fields[at] = next_number(text).value_or(0);
  stat.parent = static_cast<pid_t>(fields[1]);
  stat.ticks = fields[11] + fields[12] + fields[13] + fields[14];
  stat.threads = fields[17];
  stat.start = fields[19];
  stat.pages = fields[21];
  return stat;
}

} // namespace debrief::record
