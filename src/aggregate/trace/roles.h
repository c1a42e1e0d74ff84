// What a slice counts as where time is accounted for, and which time counts.
#pragma once

#include "aggregate/trace/index.h"
#include "aggregate/trace/intervals.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace debrief::aggregate {

/// In the order of result::kStepParts, whose last, "other", is `none`.
enum class Role : std::uint8_t {
  kernel,        ///< computes
  memcpy,        ///< on the GPU
  memset,        ///< on the GPU
  communication, ///< a kernel that communicates, or a collective that runs on the CPU
  runtime,
  data_loader,
  op,
  none,
};

inline constexpr std::size_t kRoles = static_cast<std::size_t>(Role::none);

/// Looks at each name once, so that asking for a slice costs nothing.
///
/// "nccl:…" annotations on the CPU are no communication: they last as long as the launch, and the
/// kernel that they launch is what communicates.
class Roles {
public:
  explicit Roles(const job::Trace& trace);

  Role of(const job::Slice& slice) const;

private:
  bool communicates(const job::Slice& kernel) const;

  const job::Trace& trace_;
  std::vector<Role> kernels_;     ///< by name: kernel or communication
  std::vector<Role> annotations_; ///< by name: data_loader, communication or none
};

/// The union of a trace's steps; all of the trace where there are none.
IntervalSet profiled_time(const TraceIndex& index);

} // namespace debrief::aggregate
