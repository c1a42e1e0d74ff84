// The collectives of a trace: kernels of NCCL and RCCL, and ranges of gloo and the like on CPU
// threads.
//
// What a kernel does not say of itself (name, type, size) the operator or range around its launch
// does: record_param_comms, nccl:all_reduce. Ranges of NCCL are but launches and no communication.
#pragma once

#include "aggregate/trace/index.h"
#include "aggregate/trace/roles.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace debrief::aggregate {

struct Collective {
  Nanoseconds start = 0;
  Nanoseconds end = 0;
  Nanoseconds issued = 0; ///< when the host asked for it: which step it belongs to
  bool gpu = false;
  std::string name;                  ///< "all_reduce"
  std::string dtype;                 ///< "Float"; empty: not recorded
  std::string group;                 ///< the process group's name; empty: not recorded
  std::optional<std::int64_t> bytes; ///< of the larger of what goes in and what comes out
};

/// By track, then start.
std::vector<Collective> collectives_of(const TraceIndex& index, const Roles& roles);

} // namespace debrief::aggregate
