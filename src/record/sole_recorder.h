// Whether this process samples the machine: of several that record into one folder on one machine
// (srun starts one per rank), only the first does. It locks a file of the folder that only this
// user can open; the system takes the lock back at the process's end, however that comes.
#pragma once

#include <filesystem>
#include <string>

namespace debrief::record {

class SoleRecorder {
public:
  SoleRecorder(const std::filesystem::path& folder, const std::string& node);
  ~SoleRecorder();
  SoleRecorder(const SoleRecorder&) = delete;
  SoleRecorder& operator=(const SoleRecorder&) = delete;

  /// Also where nothing could be locked: see trouble().
  bool is_sole() const { return sole_; }

  /// Why nothing could be locked, as a sentence; else empty.
  const std::string& trouble() const { return trouble_; }

private:
  bool lock();
  std::string sentence(const char* why) const;

  std::filesystem::path file_;
  int descriptor_ = -1;
  bool sole_ = true;
  std::string trouble_;
};

} // namespace debrief::record
