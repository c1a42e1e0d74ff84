// What two jobs were run with, where that differs: a change of speed between different GPUs, or
// between steps that do different amounts of work, says nothing of the code.
#pragma once

#include "result/result.h"

#include <string>
#include <vector>

namespace debrief::compare {

struct SettingChange {
  std::string what; ///< "GPU", "number of GPUs", "framework", "batch size"
  std::string before;
  std::string after;
};

/// Of what both jobs tell; texts are untrusted.
std::vector<SettingChange> setting_changes(const result::Result& before,
                                           const result::Result& after);

/// Whether steps of two jobs do the same amount of work.
enum class WorkPerStep { same, different, unknown };

/// By the batch size, as far as both jobs tell.
WorkPerStep work_per_step(const result::Result& before, const result::Result& after);

} // namespace debrief::compare
