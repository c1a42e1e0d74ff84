// What the names that torch.profiler gives to its own ranges say.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string_view>

namespace debrief::job {

inline constexpr std::string_view kProfilerStep = "ProfilerStep#";

/// "ProfilerStep#22": a profiled step.
inline bool is_profiler_step(std::string_view annotation) {
  return annotation.starts_with(kProfilerStep);
}

/// 22 of "ProfilerStep#22"; nothing where no number follows, or the name is another's.
inline std::optional<std::int64_t> profiler_step_number(std::string_view annotation) {
  if (!is_profiler_step(annotation)) return std::nullopt;
  annotation.remove_prefix(kProfilerStep.size());
  std::int64_t number = 0;
  const char* const end = annotation.data() + annotation.size();
  if (std::from_chars(annotation.data(), end, number).ec != std::errc{}) return std::nullopt;
  return number;
}

/// A range that torch itself marks. PyTorch 1.8 to 1.11 writes it as an operator.
inline bool is_torch_range(std::string_view name) {
  return is_profiler_step(name) || name.starts_with("enumerate(DataLoader)#") ||
         name.starts_with("Optimizer.step#") || name.starts_with("Optimizer.zero_grad#");
}

/// "enumerate(DataLoader)#….__next__": a process waits for the next batch.
inline bool is_data_loader(std::string_view annotation) {
  return annotation.starts_with("enumerate(DataLoader)");
}

} // namespace debrief::job
