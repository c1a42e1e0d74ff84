// Marks steps and data waits of the command's Python processes, and samples their stacks: puts the
// files of src/record/shim first on their PYTHONPATH. They write framework timelines and stacks
// into the job's folder.
#pragma once

#include "record/environment.h"
#include "record/recorder_folder.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::record {

class StepShim {
public:
  /// Never throws: where the shim cannot be put in place, the recording does without, and a note
  /// says so.
  /// `memory`: each training process also writes a CUDA memory snapshot.
  StepShim(const RecorderFolder& folder, const std::filesystem::path& job_folder,
           bool memory = false, bool stacks = true);

  /// What to set for the command, given what is set already: PYTHONPATH is added to.
  Environment environment(const Environment& existing) const;

  /// The command has ended: finds out what became of its steps, for notes().
  void finish();

  /// Sentences about what is missing and why; none where steps were marked.
  std::vector<std::string> notes() const { return notes_; }

  /// What the Python processes say of themselves (shim_log.h); empty where there is no shim.
  std::filesystem::path log() const;

  /// What ended some of them (failures.h); the same.
  std::filesystem::path failures() const;

private:
  std::filesystem::path job_folder_; ///< absolute
  const RecorderFolder& folder_;
  bool ready_ = false;
  bool memory_ = false;
  bool stacks_ = true;
  std::vector<std::string> notes_;
};

} // namespace debrief::record
