#include "findings/failure_kind.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <csignal>
#include <initializer_list>
#include <utility>

namespace debrief::findings {

namespace {

bool has_any(std::string_view text, std::initializer_list<std::string_view> parts) {
  return std::any_of(parts.begin(), parts.end(),
                     [&](std::string_view part) { return text.find(part) != text.npos; });
}

/// "2.00 GiB", at the beginning of the text.
std::optional<double> size_at(std::string_view text) {
  constexpr std::array<std::pair<std::string_view, double>, 5> kUnits{
      {{"bytes", 1}, {"KiB", 1024}, {"MiB", 1048576}, {"GiB", 1073741824}, {"TiB", 1099511627776}}};
  const std::size_t space = text.find(' ');
  if (space == text.npos) return std::nullopt;
  double number = 0;
  const char* const end = text.data() + space;
  const auto read = std::from_chars(text.data(), end, number);
  if (read.ec != std::errc{} || read.ptr != end || !(number >= 0) || number > 1e15)
    return std::nullopt;
  for (const auto& [unit, factor] : kUnits)
    if (text.substr(space + 1).starts_with(unit)) return number * factor;
  return std::nullopt;
}

std::optional<double> size_after(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  return at == text.npos ? std::nullopt : size_at(text.substr(at + mark.size()));
}

/// "1.10 GiB is free"
std::optional<double> size_before(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == text.npos || at == 0) return std::nullopt;
  const std::size_t unit = text.rfind(' ', at - 1);
  if (unit == text.npos || unit == 0) return std::nullopt;
  const std::size_t number = text.rfind(' ', unit - 1);
  return number == text.npos ? std::nullopt : size_at(text.substr(number + 1));
}

/// Without module: "torch.OutOfMemoryError" -> "OutOfMemoryError".
std::string_view short_type(const result::Failure& failure) {
  if (!failure.type) return "";
  const std::string_view type = *failure.type;
  return type.substr(type.rfind('.') + 1);
}

} // namespace

FailureKind kind_of(const result::Failure& failure) {
  const std::string_view type = short_type(failure);
  const std::string_view message = failure.message ? std::string_view{*failure.message} : "";
  if (type.empty()) {
    const auto signal = ending_signal(failure);
    if (signal) return *signal == SIGKILL ? FailureKind::killed : FailureKind::crashed;
    return failure.exit_code ? FailureKind::exit_code : FailureKind::unknown;
  }
  if (type == "OutOfMemoryError" ||
      has_any(message, {"CUDA out of memory", "HIP out of memory", "XPU out of memory",
                        "CUDA error: out of memory", "STATUS_ALLOC_FAILED"}))
    return FailureKind::gpu_memory;
  if (type == "MemoryError" || has_any(message, {"can't allocate memory", "Cannot allocate memory",
                                                 "not enough memory: you tried"}))
    return FailureKind::host_memory;
  if (has_any(message, {"device-side assert"})) return FailureKind::device_assert;
  if (has_any(message, {"insufficient shared memory", "out of shared memory"}))
    return FailureKind::shared_memory;
  if (has_any(message, {"DataLoader worker (pid"})) return FailureKind::loader_worker;
  if (has_any(message, {"No space left on device", "Disk quota exceeded"}))
    return FailureKind::disk_full;
  if (type == "ModuleNotFoundError") return FailureKind::no_module;
  if (type == "DistBackendError" || type == "DistNetworkError" ||
      has_any(message, {"NCCL error", "collective operation timeout", "third_party/gloo"}))
    return FailureKind::collective;
  if (has_any(message, {"CUDA error", "HIP error", "CUBLAS_STATUS", "CUDNN_STATUS", "cuDNN error"}))
    return FailureKind::gpu_error;
  return FailureKind::exception;
}

FailedAllocation failed_allocation(std::string_view message) {
  FailedAllocation found{size_after(message, "Tried to allocate "),
                         size_before(message, " is free")};
  if (!found.free) found.free = size_before(message, " free;");
  return found;
}

std::string signal_name(std::int64_t signal) {
  switch (signal) {
  case SIGKILL:
    return "SIGKILL";
  case SIGSEGV:
    return "SIGSEGV";
  case SIGABRT:
    return "SIGABRT";
  case SIGBUS:
    return "SIGBUS";
  case SIGFPE:
    return "SIGFPE";
  case SIGILL:
    return "SIGILL";
  case SIGTERM:
    return "SIGTERM";
  default:
    return fmt::format("signal {}", signal);
  }
}

std::optional<std::int64_t> ending_signal(const result::Failure& failure) {
  constexpr std::int64_t kOfShell = 128;
  if (failure.signal) return failure.signal;
  if (!failure.exit_code) return std::nullopt;
  for (const int signal : {SIGKILL, SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTERM})
    if (*failure.exit_code == kOfShell + signal) return signal;
  return std::nullopt;
}

const result::FailureFrame* telling_frame(const result::Failure& failure) {
  const auto own = std::find_if(failure.frames.rbegin(), failure.frames.rend(),
                                [](const auto& frame) { return !frame.of_library; });
  if (own != failure.frames.rend()) return &*own;
  return failure.frames.empty() ? nullptr : &failure.frames.back();
}

} // namespace debrief::findings
