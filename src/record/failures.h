// What ended processes of a recorded command, as they told it (shim/debrief_failure.py), for
// failures/HOST-PID.json in the job's folder (docs/recording.md). Secrets are taken out here.
#pragma once

#include "record/command.h"

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace debrief::record {

/// The end of a command that no job.json tells: of ranks that share a folder, the first describes
/// the job.
struct CommandEnd {
  pid_t process = 0;
  int rank = 0;
  Ending ending;
};

/// `told` is untrusted: a JSON object a line, of which several may be about one process. `folder`
/// is the command's working folder. Empty where nothing failed.
std::string to_failures_json(std::string_view told, std::string_view node, std::string_view folder,
                             const std::optional<CommandEnd>& command = {});

/// Copies what processes told so far from their private file into the job's folder, and whatever a
/// former copy held is in this one, too. Throws Error.
void copy_failures(const std::filesystem::path& told, const std::filesystem::path& job_folder,
                   std::string_view node, const std::optional<CommandEnd>& command = {});

} // namespace debrief::record
