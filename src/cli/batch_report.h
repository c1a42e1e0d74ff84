// `debrief report --each`: a report of each of many jobs, side by side on all cores, and a page
// that lists them.
#pragma once

#include "cli/command.h"
#include "cli/outputs.h"

#include <string>
#include <vector>

namespace debrief::cli {

struct BatchOptions {
  bool each = false;
  std::string out_dir;

  void add_to(CLI::App& command);

  /// Throws Error for options that do not go together: before any work.
  void check(const std::vector<std::string>& jobs, const JobOptions& options,
             const Outputs& outputs) const;
};

/// One job that cannot be read does not stop the others: it is listed, with why.
ExitCode run_batch(const BatchOptions& batch, const std::vector<std::string>& jobs,
                   const JobOptions& options, const Outputs& outputs, const RuleOptions& rules);

} // namespace debrief::cli
