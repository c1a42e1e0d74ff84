// One saved tensor as smdebug writes it: a TFRecord frame around a protobuf Event with one value.
#pragma once

#include "job/tensors.h"

#include <cstddef>
#include <optional>
#include <string_view>

namespace debrief::ingest::tensors {

/// What kept a record from being read; `none`: nothing.
enum class EventTrouble { none, frame, checksum, message, other_name, type };

/// A short phrase for the reading report.
std::string_view words_of(EventTrouble trouble);

/// Reads the frame's tensor into `data`, whose memory is reused. The event has to be of this tensor
/// and reduction.
EventTrouble decode_tensor(std::string_view frame, std::string_view tensor,
                           job::Reduction reduction, job::TensorData& data);

/// Bytes of a frame that are enough for written_at().
inline constexpr std::size_t kTimeBytes = 21;

/// When an event was written, by the first bytes of its frame.
std::optional<Microseconds> written_at(std::string_view frame_head);

} // namespace debrief::ingest::tensors
