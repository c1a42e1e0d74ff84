// How full each GPU's memory was, and how it grew.
#include "chart/bars.h"
#include "render/parts/device_chart.h"
#include "render/parts/device_table.h"
#include "render/parts/format.h"
#include "render/parts/metric_chart.h"
#include "render/parts/rule_words.h"
#include "render/sections/sections.h"
#include "util/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string>

namespace debrief::render {

namespace {

using result::DeviceRow;

std::string memory_sentence(const Devices& gpus) {
  const DeviceRow* most = extremes(gpus, &DeviceRow::max).most;
  const DeviceRow* usual = extremes(gpus, &DeviceRow::p50).most;
  std::string out;
  if (most != nullptr)
    out = fmt::format("GPU memory peaked at {} ({})", exact_percent_text(*most->max),
                      device_name(most->node, most->device));
  if (usual != nullptr)
    out += fmt::format(
        "{} {}", out.empty() ? "The highest median of GPU memory is" : "; the highest median is",
        exact_percent_text(*usual->p50));
  return out.empty() ? out : out + '.';
}

/// A bar for each GPU's peak, the highest of many.
std::optional<Chart> peak_chart(const Devices& gpus) {
  constexpr std::size_t kMost = 32;
  Devices known;
  std::copy_if(gpus.begin(), gpus.end(), std::back_inserter(known),
               [](const DeviceRow* gpu) { return gpu->max.has_value(); });
  if (known.size() < kMinBoxes) return std::nullopt;
  std::string caption = "Peak memory by GPU";
  if (known.size() > kMost) {
    caption += fmt::format(", {} highest of {}", kMost, grouped(std::ssize(known)));
    Devices highest = known;
    std::stable_sort(highest.begin(), highest.end(),
                     [](const auto* a, const auto* b) { return *a->max > *b->max; });
    highest.resize(kMost);
    std::erase_if(known, [&](const DeviceRow* gpu) {
      return std::find(highest.begin(), highest.end(), gpu) == highest.end();
    });
  }
  chart::ValueBars chart;
  for (const DeviceRow* gpu : known)
    chart.rows.push_back(
        {device_name(gpu->node, gpu->device), *gpu->max, exact_percent_text(*gpu->max)});
  chart.label = caption;
  return drawn_chart(std::move(caption), [&] { return draw(chart); }, {});
}

std::optional<Section> make_gpu_memory(const result::Result& result) {
  const Devices gpus = devices_of(result, {result::Metric::gpu_memory});
  if (gpus.empty()) return missing(why_no_gpu(result).value_or("GPU memory was not recorded."));
  const result::RuleRow* rule = find_rule(result, "GPUMemoryIncrease");
  Section section;
  section.say(memory_sentence(gpus));
  section.say(outcome_sentence(rule));
  section.draw(peak_chart(gpus));
  draw_gpu_memory(section, result);
  section.show(device_table("Memory use by GPU (%)", gpus,
                            {{"p5", &DeviceRow::p05},
                             {"p25", &DeviceRow::p25},
                             {"p50", &DeviceRow::p50},
                             {"p75", &DeviceRow::p75},
                             {"p95", &DeviceRow::p95},
                             {"Max", &DeviceRow::max}},
                            rule),
               kRowsShown, "GPUs");
  return section;
}

} // namespace

const SectionSpec kGpuMemorySection = {
    .id = "gpu-memory",
    .heading = "GPU memory",
    .chapter = Chapter::memory,
    .rule = "GPUMemoryIncrease",
    .how_to_read =
        "Flat memory is healthy. Steps up that never come back are growth: a graph kept alive, a "
        "list of tensors, a cache. A maximum near 100% is one larger batch away from an OOM.",
    .how_computed =
        "Percent of GPU memory in use, over all samples. SageMaker's recorder reports the share of "
        "time in which memory was read or written instead, which swings with the load. An increase "
        "is the difference between neighboring averages, as in the rule GPUMemoryIncrease. PyTorch "
        "caches freed memory, so this is what it reserved.",
    .make = make_gpu_memory,
};

} // namespace debrief::render
