// What sort of end a failure is, by its exception's type and message, which decides what to do.
#pragma once

#include "result/failure.h"

#include <optional>
#include <string>
#include <string_view>

namespace debrief::findings {

enum class FailureKind {
  gpu_memory,    ///< an allocation on the GPU failed
  host_memory,   ///< one of the host did
  device_assert, ///< a kernel's assertion: an index out of range, mostly
  gpu_error,     ///< another error of CUDA or HIP
  shared_memory, ///< /dev/shm is full
  disk_full,
  no_module,     ///< an import failed
  loader_worker, ///< one that loads data crashed; the traceback is of whatever ran meanwhile
  collective,    ///< ranks lost or waited in vain for each other
  exception,     ///< any other
  killed,        ///< SIGKILL, without an exception
  crashed,       ///< another signal, without an exception
  exit_code,     ///< neither a signal nor an exception is known
  unknown        ///< not even an exit code
};

FailureKind kind_of(const result::Failure& failure);

/// What a message about memory says, in bytes.
struct FailedAllocation {
  std::optional<double> asked;
  std::optional<double> free;
};

/// PyTorch's "Tried to allocate 2.00 GiB … of which 1.10 GiB is free", old and new.
FailedAllocation failed_allocation(std::string_view message);

/// "SIGSEGV", or "signal 42".
std::string signal_name(std::int64_t signal);

/// The signal, or what a shell made of it: 137 is SIGKILL. Nothing where it was none.
std::optional<std::int64_t> ending_signal(const result::Failure& failure);

/// The last call of the job's own code, else the last of all; null where none is known.
const result::FailureFrame* telling_frame(const result::Failure& failure);

} // namespace debrief::findings
