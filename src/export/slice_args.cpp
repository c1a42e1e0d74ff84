#include "export/slice_args.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

namespace debrief::exports {

namespace {

/// Members of an object; what was not recorded is left out.
class Members {
public:
  explicit Members(std::string& text)
      : text_(text) {}

  template <typename Value>
  void add(const char* key, const Value& value) {
    fmt::format_to(std::back_inserter(text_), "{}\"{}\":{}", text_.empty() ? "" : ",", key, value);
  }

  template <typename Number>
  void add_known(const char* key, Number number) {
    if (number >= 0 && std::isfinite(static_cast<double>(number))) add(key, number);
  }

  void add_name(const char* key, job::StringTable::Id id, QuotedNames& names) {
    if (id >= 0) add(key, names[id]);
  }

  void add_three(const char* key, const std::array<std::int32_t, 3>& numbers) {
    if (numbers[0] >= 0) add(key, fmt::format("[{},{},{}]", numbers[0], numbers[1], numbers[2]));
  }

private:
  std::string& text_;
};

void add_collective(const job::Trace& trace, std::int32_t place, QuotedNames& names,
                    Members& members) {
  if (place < 0) return;
  const job::CollectiveArgs& collective = trace.collectives[static_cast<std::size_t>(place)];
  members.add_name("Collective name", collective.name, names);
  members.add_name("dtype", collective.dtype, names);
  members.add_name("Process Group Name", collective.group, names);
  members.add_known("In msg nelems", collective.in_elements);
  members.add_known("Out msg nelems", collective.out_elements);
  members.add_known("Group size", collective.group_size);
}

void add_launch(const job::Trace& trace, const job::LaunchArgs& launch, QuotedNames& names,
                Members& members) {
  members.add_three("grid", launch.grid);
  members.add_three("block", launch.block);
  members.add_known("registers per thread", launch.registers);
  members.add_known("shared memory", launch.shared_memory);
  members.add_known("blocks per SM", launch.blocks_per_sm);
  members.add_known("warps per SM", launch.warps_per_sm);
  members.add_known("est. achieved occupancy %", launch.occupancy);
  add_collective(trace, launch.collective, names, members);
}

void add_inputs(const job::Trace& trace, const job::InputArgs& inputs, QuotedNames& names,
                Members& members) {
  members.add_name("Input Dims", inputs.dims, names);
  members.add_name("Input type", inputs.types, names);
  members.add_known("flops", inputs.flops);
  add_collective(trace, inputs.collective, names, members);
}

} // namespace

void append_slice_args(const aggregate::TraceIndex& index, std::size_t at, QuotedNames& names,
                       std::string& args) {
  const job::Trace& trace = index.trace;
  const job::Slice& slice = trace.slices[at];
  const job::TraceTrack& track = trace.tracks[static_cast<std::size_t>(slice.track)];
  Members members{args};
  members.add_known("External id", slice.external);
  members.add_known("correlation", slice.correlation);
  if (track.gpu) {
    members.add("device", track.process);
    members.add("stream", track.id);
  }
  if (const std::int32_t op = index.op[at]; op != aggregate::TraceIndex::kNone)
    members.add_name("op", trace.slices[static_cast<std::size_t>(op)].name, names);
  if (slice.details < 0) return;
  const auto details = static_cast<std::size_t>(slice.details);
  if (slice.kind == job::SliceKind::kernel) {
    add_launch(trace, trace.launches[details], names, members);
  } else if (slice.kind == job::SliceKind::memcpy || slice.kind == job::SliceKind::memset) {
    members.add_known("bytes", trace.copies[details].bytes);
    members.add_known("memory bandwidth (GB/s)", trace.copies[details].bandwidth);
  } else {
    add_inputs(trace, trace.inputs[details], names, members);
  }
}

} // namespace debrief::exports
