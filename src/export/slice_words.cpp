#include "export/slice_words.h"

#include <fmt/format.h>

namespace debrief::exports {

std::string_view kind_word(job::SliceKind kind) {
  switch (kind) {
  case job::SliceKind::op:
    return "operator";
  case job::SliceKind::annotation:
    return "annotation";
  case job::SliceKind::module:
    return "module";
  case job::SliceKind::runtime:
    return "runtime";
  case job::SliceKind::overhead:
    return "overhead";
  case job::SliceKind::kernel:
    return "kernel";
  case job::SliceKind::memcpy:
    return "memcpy";
  case job::SliceKind::memset:
    return "memset";
  case job::SliceKind::gpu_annotation:
    return "GPU annotation";
  case job::SliceKind::gpu_wait:
    break;
  }
  return "GPU wait";
}

std::string_view quoted_category(job::SliceKind kind) {
  switch (kind) {
  case job::SliceKind::op:
    return "\"cpu_op\"";
  case job::SliceKind::annotation:
    return "\"user_annotation\"";
  case job::SliceKind::module:
    return "\"python_function\"";
  case job::SliceKind::runtime:
    return "\"cuda_runtime\"";
  case job::SliceKind::overhead:
    return "\"overhead\"";
  case job::SliceKind::kernel:
    return "\"kernel\"";
  case job::SliceKind::memcpy:
    return "\"gpu_memcpy\"";
  case job::SliceKind::memset:
    return "\"gpu_memset\"";
  case job::SliceKind::gpu_annotation:
    return "\"gpu_user_annotation\"";
  case job::SliceKind::gpu_wait:
    break;
  }
  return "\"cuda_sync\"";
}

std::string track_name(const job::TraceTrack& track) {
  if (track.gpu) return fmt::format("GPU {} stream {}", track.process, track.id);
  return track.name.empty() ? fmt::format("thread {}", track.id) : track.name;
}

} // namespace debrief::exports
