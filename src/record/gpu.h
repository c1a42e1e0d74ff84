// GPUs as sources of samples: NVIDIA's through its management library, AMD's through sysfs.
#pragma once

#include "record/description.h"
#include "record/source.h"

#include <string>
#include <vector>

namespace debrief::record {

/// What was found, for job.json.
struct GpuInventory {
  std::vector<GpuInfo> gpus; ///< in the order of their names: gpu0, gpu1, …
  std::string driver;
  std::vector<std::string> notes;
};

/// Of all GPUs that CUDA_VISIBLE_DEVICES leaves to the job; `visible` is its value, or nothing
/// where it is not set. Numbers are those that the job sees.
std::unique_ptr<Source> make_nvidia_source(MetricLines& lines, std::optional<std::string> visible,
                                           GpuInventory& inventory);

std::unique_ptr<Source> make_amd_source(const Roots& roots, MetricLines& lines,
                                        GpuInventory& inventory);

/// Places in a list of GPUs, by their numbers or the start of their names ("GPU-5f3…"), as CUDA
/// reads its variable: what follows something unknown is left out.
std::vector<std::size_t> visible_gpus(const std::string& variable,
                                      const std::vector<std::string>& uuids);

} // namespace debrief::record
