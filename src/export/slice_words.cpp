#include "export/slice_words.h"

#include <fmt/format.h>

namespace debrief {

std::string_view kind_word(SliceKind kind) {
  switch (kind) {
  case SliceKind::op:
    return "operator";
  case SliceKind::annotation:
    return "annotation";
  case SliceKind::module:
    return "module";
  case SliceKind::runtime:
    return "runtime";
  case SliceKind::overhead:
    return "overhead";
  case SliceKind::kernel:
    return "kernel";
  case SliceKind::memcpy:
    return "memcpy";
  case SliceKind::memset:
    return "memset";
  case SliceKind::gpu_annotation:
    return "GPU annotation";
  case SliceKind::gpu_wait:
    break;
  }
  return "GPU wait";
}

std::string_view quoted_category(SliceKind kind) {
  switch (kind) {
  case SliceKind::op:
    return "\"cpu_op\"";
  case SliceKind::annotation:
    return "\"user_annotation\"";
  case SliceKind::module:
    return "\"python_function\"";
  case SliceKind::runtime:
    return "\"cuda_runtime\"";
  case SliceKind::overhead:
    return "\"overhead\"";
  case SliceKind::kernel:
    return "\"kernel\"";
  case SliceKind::memcpy:
    return "\"gpu_memcpy\"";
  case SliceKind::memset:
    return "\"gpu_memset\"";
  case SliceKind::gpu_annotation:
    return "\"gpu_user_annotation\"";
  case SliceKind::gpu_wait:
    break;
  }
  return "\"cuda_sync\"";
}

std::string track_name(const TraceTrack& track) {
  if (track.gpu) return fmt::format("GPU {} stream {}", track.process, track.id);
  return track.name.empty() ? fmt::format("thread {}", track.id) : track.name;
}

} // namespace debrief
