// One event of a PyTorch trace as it was written, before it is given a meaning.
#pragma once

#include "ingest/chrome_trace/values.h"
#include "job/trace.h"

#include <cstdint>
#include <forward_list>
#include <optional>
#include <string>
#include <string_view>

namespace debrief::ingest::kineto {

/// Texts lie in the file's bytes, or in the parser. What the event
/// does not have is absent, empty or negative.
struct Event {
  std::string_view name;
  std::string_view ph;
  std::string_view cat;
  chrome_trace::Id pid;
  chrome_trace::Id tid;
  std::optional<Nanoseconds> ts;
  std::optional<Nanoseconds> dur;

  // of "args"
  std::string_view args_name; ///< of M events
  std::int64_t external = job::Slice::kNone;
  std::int64_t correlation = job::Slice::kNone;
  std::optional<std::int64_t> device;
  std::optional<std::int64_t> stream;
  std::string_view dims;     ///< JSON as it stands in the file
  std::string_view types;    ///< JSON as it stands in the file
  std::string_view concrete; ///< "Concrete Inputs", JSON as it stands in the file
  std::int64_t flops = -1;
  job::LaunchArgs launch; ///< without the collective
  job::CopyArgs copy;
  job::WaitArgs wait;
  std::int64_t sequence = -1;       ///< autograd's "Sequence number"
  std::int64_t forward_thread = -1; ///< "Fwd thread id": 0 but for backward functions
  std::string_view collective;
  std::string_view dtype;
  std::string_view group;
  std::int64_t in_elements = -1;
  std::int64_t out_elements = -1;
  std::int64_t group_size = -1;
  std::optional<std::int64_t> memory_bytes; ///< "Bytes" of a [memory] event
  std::optional<std::int64_t> total_allocated;
  std::optional<std::int64_t> total_reserved;
  std::optional<std::int64_t> device_type;
  std::optional<std::int64_t> device_id;
  std::uint64_t address = 0;
  std::string_view task_type; ///< "Task Type" of work on an Ascend NPU
  std::string_view level;     ///< of a call to one

  bool empty = true;  ///< the object had no field at all
  bool wanted = true; ///< by its phase, category and name; what else it has is not read otherwise
  std::uint8_t repaired = 0;
};

class EventParser {
public:
  /// Reads the event at the cursor and goes behind it; false where the JSON is broken. Arguments
  /// are not looked at where phase, category and name came before them and say that nothing of them
  /// is kept. Texts are valid until the next call.
  bool parse(chrome_trace::TokenCursor& cursor, Event& event);

private:
  std::forward_list<std::string> unescaped_; ///< texts of the event that had escapes
};

/// The kind of slice that a category names; nothing for what is not kept.
std::optional<job::SliceKind> kind_of(std::string_view category, std::string_view name);

/// Whether the values of an operator's inputs are kept, and not only their shapes: without strides
/// and masks nobody knows how much convolutions and attention compute.
bool keeps_concrete_inputs(std::string_view op);

/// The kind of an event without a category, as an Ascend NPU's profiler and torch.autograd.profiler
/// of old write them; nothing for what is not kept.
std::optional<job::SliceKind> kind_without_category(const Event& event);

/// Whether what has no kind is left out on purpose: functions of Python, the extent of the trace,
/// what a profiler worked out from events that are there. Else it is something that debrief does
/// not know.
bool is_left_out(const Event& event);

} // namespace debrief::ingest::kineto
