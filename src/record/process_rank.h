// A process's place in a distributed job, as its launcher put it into its environment.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string_view>

namespace debrief::record {

struct ProcessRank {
  std::optional<std::int64_t> rank;
  std::optional<std::int64_t> world_size;
};

/// `environment` is "NAME=value" after "NAME=value", each ended by a zero byte. torchrun's
/// variables count before Slurm's, Slurm's before Open MPI's.
ProcessRank rank_in(std::string_view environment);

/// Of a process that runs; empty where it has gone or is another user's.
ProcessRank rank_of(pid_t process);

} // namespace debrief::record
