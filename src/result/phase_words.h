// Phases of a job as a reader calls them; the result's own names stay as its JSON has them.
#pragma once

#include "result/steps.h"

#include <string>

namespace debrief::result {

/// "startup", "TRAIN"
inline std::string phase_words(const PhaseName& name) {
  if (name.kind == PhaseKind::initialization) return "startup";
  if (name.kind == PhaseKind::finalization) return "shutdown";
  return name.text();
}

} // namespace debrief::result
