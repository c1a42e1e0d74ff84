#include "cli/outcome.h"

#include "cli/notes.h"
#include "cli/terminal.h"
#include "cli/verdict_lines.h"
#include "util/text.h"

#include <fmt/format.h>

#include <unistd.h>

namespace debrief::cli {

ExitCode say_outcome(const result::Result& result, const pipeline::StageClock& clock,
                     const JobOptions& options, const Outputs& outputs, bool silent) {
  if (!options.quiet) print_notes(result);
  if (!silent)
    fmt::print("{}report: {}\n",
               verdict_lines(result, wants_color(options.no_color, STDOUT_FILENO)),
               printable(outputs.page));
  if (options.stats) print_to_stderr(clock.table());
  if (!options.strict || result.data_quality.complete) return ExitCode::done;
  print_strict(result.data_quality);
  return ExitCode::incomplete;
}

} // namespace debrief::cli
