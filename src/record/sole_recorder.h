// Whether this process samples the machine: of several that record into one folder on one machine
// (srun starts one per rank), only the first does.
#pragma once

#include <filesystem>

namespace debrief::record {

class SoleRecorder {
public:
  explicit SoleRecorder(const std::filesystem::path& folder);
  ~SoleRecorder();
  SoleRecorder(const SoleRecorder&) = delete;
  SoleRecorder& operator=(const SoleRecorder&) = delete;

  bool is_sole() const { return sole_; }

private:
  int socket_ = -1; ///< an address that the system gives to one process, and takes back at its end
  bool sole_ = true;
};

} // namespace debrief::record
