// Of several trainer_state.json of one trainer, those that say something of their own: a
// checkpoint's state has the log up to its step, which the last one has, too.
#pragma once

#include "ingest/reader.h"

#include <vector>

namespace debrief::ingest {

/// Removes states whose log is part of another's, and lists them as ignored. Those that are kept
/// come with the newest first: a state with a log that no other has is of another run. Runs of
/// other tools stay where they are.
void keep_own_states(std::vector<LoggedRun>& runs, job::ReadingReport& report);

} // namespace debrief::ingest
