#include "render/sections/gpu.h"

#include "render/parts/device_chart.h"
#include "render/parts/device_table.h"
#include "render/parts/format.h"
#include "render/parts/metric_chart.h"
#include "render/parts/rule_words.h"
#include "render/parts/section.h"

#include <fmt/format.h>

#include <string>

namespace debrief::render {

namespace {

using nlohmann::json;
using result::DeviceRow;

std::string named(const DeviceRow& device) {
  return device_name(device.node, device.device);
}

std::string utilization_sentence(const Devices& gpus) {
  const bool have_means = extremes(gpus, &DeviceRow::mean).least != nullptr;
  const auto figure = have_means ? &DeviceRow::mean : &DeviceRow::p50;
  const std::string what = have_means ? "on average" : "in the median";
  const auto [least, most] = extremes(gpus, figure);
  if (least == nullptr) return "";
  if (gpus.size() == 1) {
    std::string out =
        fmt::format("{} was busy {:.1f} % of the time {}", named(*least), *(least->*figure), what);
    if (least->p05 && least->p95)
      out += fmt::format(" (p5 {:.1f} %, p95 {:.1f} %)", *least->p05, *least->p95);
    return out + '.';
  }
  if (least == most)
    return fmt::format("All {} GPUs were busy {:.1f} % of the time {}.", gpus.size(),
                       *(least->*figure), what);
  return fmt::format("The {} GPUs were busy {:.1f} % ({}) to {:.1f} % ({}) of the time {}.",
                     gpus.size(), *(least->*figure), named(*least), *(most->*figure), named(*most),
                     what);
}

std::string memory_sentence(const Devices& gpus) {
  const DeviceRow* most = extremes(gpus, &DeviceRow::max).most;
  const DeviceRow* usual = extremes(gpus, &DeviceRow::p50).most;
  std::string out;
  if (most != nullptr)
    out = fmt::format("GPU memory was used up to {:.1f} % ({})", *most->max, named(*most));
  if (usual != nullptr)
    out += fmt::format("{} {:.1f} %",
                       out.empty() ? "The greatest median of GPU memory is"
                                   : "; the greatest median is",
                       *usual->p50);
  return out.empty() ? out : out + '.';
}

} // namespace

json gpu_utilization_view(const result::Result& result) {
  const Devices gpus = devices_of(result, {"GPU"});
  if (gpus.empty())
    return missing(why_no_gpu(result).value_or("No GPU's utilization was recorded."));
  const result::RuleRow* rule = find_rule(result, "LowGPUUtilization");
  Section section;
  section.say(utilization_sentence(gpus));
  section.say(outcome_sentence(rule));
  section.draw(device_figure("Utilization of each GPU", gpus, "GPUs"));
  section.show(device_table("How busy each GPU was, in percent", gpus,
                            {{"mean", &DeviceRow::mean},
                             {"p95", &DeviceRow::p95},
                             {"p50", &DeviceRow::p50},
                             {"p5", &DeviceRow::p05}},
                            rule),
               kRowsShown, "GPUs");
  return section.view();
}

json gpu_memory_view(const result::Result& result) {
  const Devices gpus = devices_of(result, {"GPU memory"});
  if (gpus.empty()) return missing(why_no_gpu(result).value_or("No GPU's memory was recorded."));
  const result::RuleRow* rule = find_rule(result, "GPUMemoryIncrease");
  Section section;
  section.say(memory_sentence(gpus));
  section.say(outcome_sentence(rule));
  section.draw(device_figure("How full each GPU's memory was", gpus, "GPUs"));
  draw_gpu_memory(section, result);
  section.show(device_table("Memory of each GPU, in percent", gpus,
                            {{"max", &DeviceRow::max},
                             {"p95", &DeviceRow::p95},
                             {"p75", &DeviceRow::p75},
                             {"p50", &DeviceRow::p50},
                             {"p25", &DeviceRow::p25},
                             {"p5", &DeviceRow::p05}},
                            rule),
               kRowsShown, "GPUs");
  return section.view();
}

} // namespace debrief::render
