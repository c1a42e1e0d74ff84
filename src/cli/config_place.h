// A gate must not be softened by what it judges: a config that nobody named, and that came with the
// job or with what the job is compared with, is not used by `debrief check`.
#pragma once

#include "cli/command.h"

#include <string>

namespace debrief::cli {

/// Where a config may lie to count as part of a job.
struct JobPlace {
  std::string path;
  const char* what;       ///< "the job", "the baseline"
  bool follow_links;      ///< links in the job's folder are followed
  bool is_result = false; ///< a saved result: what lies beside it did not come with it
};

/// Throws Error where the config that is found in the current folder lies in the job: in its
/// folder or beside its file, in the folder of a job that the path is a part of, or behind a link
/// of either.
void refuse_config_in(const RuleOptions& rules, const JobPlace& job);

} // namespace debrief::cli
