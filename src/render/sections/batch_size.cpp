// Whether CPU, GPU and GPU memory leave room for a greater batch.
#include "render/parts/device_chart.h"
#include "render/parts/device_table.h"
#include "render/parts/format.h"
#include "render/parts/rule_words.h"
#include "render/parts/section.h"
#include "render/sections/sections.h"
#include "util/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace debrief::render {

namespace {

using result::DeviceRow;

/// "The fullest device of each kind, by its p95 over the whole job: CPU at 25.2 %, GPU at 98.0 %
/// and GPU memory at 78.0 %; the rule looks for windows with all of them below 70 %, 70 % and 70
/// %."
std::string fullness_sentence(const result::Result& result, const result::RuleRow* rule) {
  std::vector<std::string> parts;
  std::vector<std::string> limits;
  for (const auto& [metric, name] :
       {std::pair{result::Metric::cpu, "cpu_threshold_p95"},
        std::pair{result::Metric::gpu, "gpu_threshold_p95"},
        std::pair{result::Metric::gpu_memory, "gpu_memory_threshold_p95"}}) {
    const DeviceRow* most = extremes(devices_of(result, {metric}), &DeviceRow::p95).most;
    if (most == nullptr) continue;
    parts.push_back(fmt::format("{} at {}", to_text(metric), exact_percent_text(*most->p95)));
    if (const auto threshold = parameter(rule, name))
      limits.push_back(fmt::format("{:g}%", *threshold));
  }
  if (parts.empty()) return "";
  std::string out = fmt::format("Highest p95 over the job: {}", join_and(parts));
  const bool alike = std::all_of(limits.begin(), limits.end(),
                                 [&](const std::string& limit) { return limit == limits.front(); });
  if (limits.size() == parts.size())
    out += fmt::format(". The rule looks for windows with all of them below {}",
                       alike ? limits.front() : join_and(limits));
  return out + '.';
}

std::optional<Section> make_batch_size(const result::Result& result) {
  if (const auto reason = why_no_gpu(result)) return missing(*reason);
  const result::RuleRow* rule = find_rule(result, "BatchSize");
  Section section;
  section.say(fullness_sentence(result, rule));
  section.say(outcome_sentence(rule));
  if (rule != nullptr && rule->status == result::RuleStatus::issue_found)
    section.say(as_sentence(rule->recommendation));
  if (devices_of(result, {result::Metric::gpu}).size() >= kMinBoxes)
    section.draw(device_chart(
        "CPU, GPU and GPU memory by device",
        devices_of(result, {result::Metric::cpu, result::Metric::gpu, result::Metric::gpu_memory}),
        "devices"));
  section.show(device_table("CPU, GPU and GPU memory use (%)",
                            devices_of(result, {result::Metric::cpu, result::Metric::gpu,
                                                result::Metric::gpu_memory}),
                            {{"Lower", &DeviceRow::lower},
                             {"p25", &DeviceRow::p25},
                             {"p50", &DeviceRow::p50},
                             {"p75", &DeviceRow::p75},
                             {"p95", &DeviceRow::p95},
                             {"Upper", &DeviceRow::upper}},
                            nullptr),
               kRowsShown, "devices");
  return section;
}

} // namespace

const SectionSpec kBatchSizeSection = {
    .id = "batch-size",
    .heading = "Batch size",
    .chapter = Chapter::gpu,
    .rule = "BatchSize",
    .how_to_read = "If CPU, GPU and GPU memory are all far from full, use a larger batch or a "
                   "smaller machine. If GPU memory is nearly full, the batch cannot grow.",
    .how_computed = "Boxes cover all samples: the box is the middle half, the line is the median, "
                    "whiskers reach 1.5 times the box's width. The rule BatchSize compares the p95 "
                    "of each with its thresholds.",
    .make = make_batch_size,
};

} // namespace debrief::render
