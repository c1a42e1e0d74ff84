// What a subcommand says once a report is written: notes, the verdict, where the page is, and the
// exit code.
#pragma once

#include "cli/command.h"
#include "cli/outputs.h"

namespace debrief::cli {

/// `silent`: stdout is taken, or nothing is to be said there.
ExitCode say_outcome(const result::Result& result, const pipeline::StageClock& clock,
                     const JobOptions& options, const Outputs& outputs, bool silent);

} // namespace debrief::cli
