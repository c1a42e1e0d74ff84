// Where a file lies in the folder that SageMaker Debugger's hook writes (debug-output):
//
//   collections/000000000/worker_0_collections.json
//   index/000000001/000000001200_worker_0.json
//   events/000000001200/000000001200_worker_0.tfevents
//
// and the same with ".tmp" while a file is being written.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace debrief::ingest::tensors {

enum class TrialFile { collections, index, events };

struct TrialPath {
  std::string_view folder; ///< the one above collections/, index/ and events/; empty at the top
  TrialFile file = TrialFile::index;
  std::int64_t step = 0; ///< of all modes; 0 for collections
  std::string_view worker;
  bool unfinished = false; ///< still being written, or cut off
};

/// Nothing where a path has no such place.
std::optional<TrialPath> trial_path(std::string_view path);

/// Whether a file holds tensors' values, which are read when somebody asks for them.
bool holds_tensor_values(std::string_view path);

} // namespace debrief::ingest::tensors
