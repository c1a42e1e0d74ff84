#include "compare/settings.h"

#include "result/batch_size.h"

#include <algorithm>
#include <set>

namespace debrief::compare {

namespace {

using result::Result;

/// "NVIDIA H200", or all of them where there are several kinds; else what the machine is called.
std::string gpu_of(const Result& result) {
  std::set<std::string> names;
  for (const result::GpuActivity& gpu : result.traces.gpus)
    if (!gpu.gpu.empty()) names.insert(gpu.gpu);
  std::string text;
  for (const std::string& name : names)
    text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// 0: not known.
std::int64_t gpu_count(const Result& result) {
  std::int64_t world = 0;
  for (const result::TraceFile& file : result.traces.files)
    world = std::max(world, file.world_size.value_or(0));
  std::int64_t gpus = 0;
  for (const result::Node& node : result.job.nodes)
    gpus += node.gpus.value_or(0);
  return world > 0 ? world : gpus;
}

} // namespace

std::vector<SettingChange> setting_changes(const Result& before, const Result& after) {
  std::vector<SettingChange> out;
  const auto add = [&](const char* what, std::string first, std::string second) {
    if (!first.empty() && !second.empty() && first != second)
      out.push_back({what, std::move(first), std::move(second)});
  };
  const auto number = [](std::int64_t value) {
    return value > 0 ? std::to_string(value) : std::string{};
  };
  add("GPU", gpu_of(before), gpu_of(after));
  add("machine", before.job.instance_type.value_or(""), after.job.instance_type.value_or(""));
  add("number of GPUs", number(gpu_count(before)), number(gpu_count(after)));
  add("framework", before.job.framework.value_or(""), after.job.framework.value_or(""));
  const auto batch = [&](const Result& result) {
    const auto size = batch_size(result);
    return size ? std::to_string(size->value) : std::string{};
  };
  add("batch size", batch(before), batch(after));
  return out;
}

WorkPerStep work_per_step(const Result& before, const Result& after) {
  const auto first = batch_size(before);
  const auto second = batch_size(after);
  if (!first || !second) return WorkPerStep::unknown;
  return first->value == second->value ? WorkPerStep::same : WorkPerStep::different;
}

} // namespace debrief::compare
