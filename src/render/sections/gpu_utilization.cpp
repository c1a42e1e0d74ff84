// How busy each GPU was.
#include "render/parts/device_chart.h"
#include "render/parts/device_table.h"
#include "render/parts/format.h"
#include "render/parts/rule_words.h"
#include "render/parts/table.h"
#include "render/sections/sections.h"
#include "util/number_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace debrief::render {

namespace {

using result::DeviceRow;

std::string gpu_named(const DeviceRow& device) {
  return device_name(device.node, device.device);
}

std::string utilization_sentence(const Devices& gpus) {
  const bool have_means = extremes(gpus, &DeviceRow::mean).least != nullptr;
  const auto figure = have_means ? &DeviceRow::mean : &DeviceRow::p50;
  const std::string what = have_means ? "on average" : "(median)";
  const auto [least, most] = extremes(gpus, figure);
  if (least == nullptr) return "";
  if (gpus.size() == 1) {
    std::string out = fmt::format("{} was busy {} of the time {}", gpu_named(*least),
                                  exact_percent_text(*(least->*figure)), what);
    if (least->p05 && least->p95)
      out += fmt::format(" (p5 {}, p95 {})", exact_percent_text(*least->p05),
                         exact_percent_text(*least->p95));
    return out + '.';
  }
  if (least == most)
    return fmt::format("All {} GPUs were busy {} of the time {}.", gpus.size(),
                       exact_percent_text(*(least->*figure)), what);
  return fmt::format("The {} GPUs were busy {} ({}) to {} ({}) of the time {}.", gpus.size(),
                     exact_percent_text(*(least->*figure)), gpu_named(*least),
                     exact_percent_text(*(most->*figure)), gpu_named(*most), what);
}

/// Where both are measured: they answer different questions.
std::string sm_sentence(const std::vector<result::SmActivityRow>& rows) {
  const auto least = std::min_element(rows.begin(), rows.end(), [](const auto& a, const auto& b) {
    return a.sm_active < b.sm_active;
  });
  if (least == rows.end()) return "";
  return fmt::format(
      "In the training loop, a kernel ran on {} {} of the time and kept {} of its SMs busy. "
      "Utilization says something ran; SM activity says how much of the GPU it used.",
      device_name(least->node, least->device), exact_percent_text(least->utilization),
      exact_percent_text(least->sm_active));
}

Table sm_table(const std::vector<result::SmActivityRow>& rows) {
  Table table("Mean utilization and SM activity (%)", {{"GPU", Kind::head},
                                                       {"Utilization", Kind::number},
                                                       {"SM activity", Kind::number},
                                                       {"Tensor cores", Kind::number},
                                                       {"Samples", Kind::number}});
  for (const result::SmActivityRow& row : rows)
    table.add({device_name(row.node, row.device), two_decimals(row.utilization),
               two_decimals(row.sm_active), two_decimals(row.tensor_active),
               count_text(row.samples)});
  return table;
}

std::optional<Section> make_gpu_utilization(const result::Result& result) {
  const Devices gpus = devices_of(result, {result::Metric::gpu});
  if (gpus.empty())
    return missing(why_no_gpu(result).value_or("GPU utilization was not recorded."));
  const result::RuleRow* rule = find_rule(result, "LowGPUUtilization");
  Section section;
  section.say(utilization_sentence(gpus));
  section.say(outcome_sentence(rule));
  if (gpus.size() >= kMinBoxes) section.draw(device_chart("Utilization by GPU", gpus, "GPUs"));
  section.show(device_table("Utilization by GPU (%)", gpus,
                            {{"p5", &DeviceRow::p05},
                             {"p50", &DeviceRow::p50},
                             {"Mean", &DeviceRow::mean},
                             {"p95", &DeviceRow::p95}},
                            rule),
               kRowsShown, "GPUs");
  if (!result.sm_activity.empty()) {
    section.say(sm_sentence(result.sm_activity));
    section.show(sm_table(result.sm_activity), kRowsShown, "GPUs");
  }
  return section;
}

} // namespace

const SectionSpec kGpuUtilizationSection = {
    .id = "gpu-utilization",
    .heading = "GPU utilization",
    .chapter = Chapter::gpu,
    .rule = "LowGPUUtilization",
    .how_to_read =
        "The box is the middle half of all samples, the line is the median, whiskers reach 1.5 "
        "times the box's width. A box at the right end is a busy GPU. A wide box is a GPU that "
        "keeps starting and stopping, mostly because it waits for data.",
    .how_computed = "The driver reports utilization as the share of time in which any kernel ran. "
                    "A GPU can be 100% busy with small kernels. Percentiles cover all samples of "
                    "the job. Windows are those of the rule LowGPUUtilization.",
    .make = make_gpu_utilization,
};

} // namespace debrief::render
