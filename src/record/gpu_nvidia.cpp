#include "record/gpu.h"
#include "record/nvml.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <map>
#include <utility>

namespace debrief::record {

namespace {

constexpr double kMebibyte = 1024 * 1024;
/// A driver that takes longer for the energy counter is asked for it no more often than for errors.
/// (4 ms were seen, most of what the recorder took then.)
constexpr std::chrono::milliseconds kSlow{1};
/// Errors are few, and asking for them takes long.
constexpr int kSamplesPerErrorLook = 20;
/// Of one GPU. A job that starts a process for each step should not fill the recording with them.
constexpr std::size_t kMostProcessSeries = 64;

constexpr unsigned long long kPowerReasons =
    Nvml::software_power_cap | Nvml::hardware_slowdown | Nvml::power_brake;
constexpr unsigned long long kThermalReasons = Nvml::software_thermal | Nvml::hardware_thermal;

struct NvidiaGpu {
  Nvml::Device device = nullptr;
  std::string name;
  MetricLines::Id utilization = 0;
  MetricLines::Id memory_share = 0;
  MetricLines::Id memory_busy = 0;
  MetricLines::Id memory_used = 0;
  MetricLines::Id watts = 0;
  MetricLines::Id watts_limit = 0;
  MetricLines::Id joules = 0;
  MetricLines::Id celsius = 0;
  MetricLines::Id sm_clock = 0;
  MetricLines::Id most_sm_clock = 0;
  MetricLines::Id memory_clock = 0;
  MetricLines::Id power_throttled = 0;
  MetricLines::Id thermal_throttled = 0;
  MetricLines::Id corrected = 0;
  MetricLines::Id uncorrected = 0;
  MetricLines::Id replays = 0;
  MetricLines::Id processes = 0;
  MetricLines::Id xids = 0;
  std::map<unsigned, MetricLines::Id> process_memory; ///< by the process's number
  std::array<MetricLines::Id, Nvml::kGpmMetrics.size()> gpm{};
  std::optional<double> last_watts;
  std::optional<double> first_joules;
  std::optional<double> joules_so_far; ///< since the recording began
  bool slow_joules = false;            ///< its counter takes long to answer
  std::optional<double> first_corrected;
  std::optional<double> first_uncorrected;
  std::optional<double> first_replays;
  std::optional<double> highest_clock;
  bool tells_xids = false;
  double xid_count = 0;
  Nvml::GpmSample before = nullptr;
  Nvml::GpmSample after = nullptr;
  bool has_before = false;
};

/// A counter since the recording began; nothing where it went back.
std::optional<double> since(std::optional<double>& first, std::optional<double> now) {
  if (!now) return std::nullopt;
  if (!first) first = now;
  return *now >= *first ? std::optional{*now - *first} : std::nullopt;
}

/// That this thread has had a core.
std::chrono::nanoseconds time_on_core() {
  timespec time{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return std::chrono::seconds{time.tv_sec} + std::chrono::nanoseconds{time.tv_nsec};
}

class NvidiaSource : public Source {
public:
  NvidiaSource(std::unique_ptr<Nvml> nvml, const std::vector<Nvml::Device>& devices,
               MetricLines& lines)
      : nvml_(std::move(nvml)) {
    for (std::size_t at = 0; at < devices.size(); ++at)
      gpus_.push_back(make_gpu(devices[at], fmt::format("gpu{}", at), lines));
  }

  ~NvidiaSource() override {
    for (const NvidiaGpu& gpu : gpus_) {
      nvml_->free_gpm_sample(gpu.before);
      nvml_->free_gpm_sample(gpu.after);
    }
  }

  void sample(std::optional<double> seconds, Scratch& /*scratch*/, MetricLines& lines) override {
    const bool look_for_errors = looks_++ % kSamplesPerErrorLook == 0;
    if (look_for_errors) count_xids();
    busiest_.reset();
    for (NvidiaGpu& gpu : gpus_) {
      add_use(gpu, lines);
      add_power(gpu, lines);
      add_energy(gpu, look_for_errors, seconds, lines);
      if (gpu.after != nullptr) add_gpm(gpu, seconds, lines);
      if (look_for_errors) add_errors(gpu, lines);
    }
  }

  std::optional<double> busiest_gpu() const override { return busiest_; }

private:
  NvidiaGpu make_gpu(Nvml::Device device, const std::string& name, MetricLines& lines) const {
    const auto series = [&](const char* dimension, int decimals = 2) {
      return lines.add_series("gpu", name, dimension, decimals);
    };
    NvidiaGpu gpu;
    gpu.device = device;
    gpu.name = name;
    gpu.utilization = series("GPUUtilization");
    gpu.memory_share = series("GPUMemoryUtilization");
    gpu.memory_busy = series("GPUMemoryBusyPercent");
    gpu.memory_used = series("GPUMemoryUsedBytes", 0);
    gpu.watts = series("GPUPowerWatts");
    gpu.watts_limit = series("GPUPowerLimitWatts");
    gpu.joules = series("GPUEnergyJoules", 3);
    gpu.celsius = series("GPUTemperatureCelsius", 0);
    gpu.sm_clock = series("GPUSMClockMHz", 0);
    gpu.most_sm_clock = series("GPUSMClockMaxMHz", 0);
    gpu.memory_clock = series("GPUMemoryClockMHz", 0);
    gpu.power_throttled = series("GPUPowerThrottledPercent", 0);
    gpu.thermal_throttled = series("GPUThermalThrottledPercent", 0);
    gpu.corrected = series("GPUECCCorrectedErrors", 0);
    gpu.uncorrected = series("GPUECCUncorrectedErrors", 0);
    gpu.replays = series("GPUPCIeReplays", 0);
    gpu.processes = series("GPUProcesses", 0);
    gpu.xids = series("GPUXIDErrors", 0);
    gpu.tells_xids = nvml_->watch_xids(device);
    // In the order of Nvml::kGpmMetrics.
    constexpr std::array kNames{"GPUSMActivePercent",
                                "GPUTensorActivePercent",
                                "GPUDRAMActivePercent",
                                "GPUPCIeTransmitBytesPerSecond",
                                "GPUPCIeReceiveBytesPerSecond",
                                "GPUNVLinkReceiveBytesPerSecond",
                                "GPUNVLinkTransmitBytesPerSecond"};
    static_assert(kNames.size() == Nvml::kGpmMetrics.size());
    for (std::size_t at = 0; at < kNames.size(); ++at)
      gpu.gpm[at] = series(kNames[at], is_percent(at) ? 2 : 0);
    gpu.highest_clock = nvml_->most_megahertz(device, Nvml::sm_clock);
    if (nvml_->has_gpm(device)) {
      gpu.before = nvml_->make_gpm_sample();
      gpu.after = nvml_->make_gpm_sample();
    }
    return gpu;
  }

  static bool is_percent(std::size_t gpm_metric) {
    return Nvml::kGpmMetrics[gpm_metric] < Nvml::gpm_pcie_sent;
  }

  void add_use(const NvidiaGpu& gpu, MetricLines& lines) {
    if (const auto use = nvml_->utilization(gpu.device)) {
      busiest_ = std::max(busiest_.value_or(0), static_cast<double>(use->gpu));
      lines.add(gpu.utilization, static_cast<double>(use->gpu));
      lines.add(gpu.memory_busy, static_cast<double>(use->memory));
    }
    if (const auto memory = nvml_->memory(gpu.device); memory && memory->total > 0) {
      const auto used = static_cast<double>(memory->used);
      lines.add(gpu.memory_share, std::min(100.0, 100 * used / static_cast<double>(memory->total)));
      lines.add(gpu.memory_used, used);
    }
  }

  /// The counter; in between, where it is slow, what its last value and the power since say.
  void add_energy(NvidiaGpu& gpu, bool ask_if_slow, std::optional<double> seconds,
                  MetricLines& lines) const {
    if (gpu.slow_joules && !ask_if_slow) {
      if (!gpu.joules_so_far || !gpu.last_watts || !seconds) return;
      *gpu.joules_so_far += *gpu.last_watts * *seconds;
    } else {
      const auto begin = time_on_core();
      const auto counted = since(gpu.first_joules, nvml_->joules(gpu.device));
      gpu.slow_joules = time_on_core() - begin > kSlow;
      if (!counted) return;
      // It never goes back, also where the power said more than there was.
      gpu.joules_so_far = std::max(gpu.joules_so_far.value_or(0), *counted);
    }
    lines.add(gpu.joules, gpu.joules_so_far);
  }

  void add_power(NvidiaGpu& gpu, MetricLines& lines) const {
    gpu.last_watts = nvml_->watts(gpu.device);
    lines.add(gpu.watts, gpu.last_watts);
    lines.add(gpu.watts_limit, nvml_->watts_limit(gpu.device));
    lines.add(gpu.celsius, nvml_->celsius(gpu.device));
    lines.add(gpu.sm_clock, nvml_->megahertz(gpu.device, Nvml::sm_clock));
    lines.add(gpu.most_sm_clock, gpu.highest_clock);
    lines.add(gpu.memory_clock, nvml_->megahertz(gpu.device, Nvml::memory_clock));
    if (const auto reasons = nvml_->reasons(gpu.device)) {
      lines.add(gpu.power_throttled, (*reasons & kPowerReasons) != 0 ? 100.0 : 0.0);
      lines.add(gpu.thermal_throttled, (*reasons & kThermalReasons) != 0 ? 100.0 : 0.0);
    }
  }

  void add_gpm(NvidiaGpu& gpu, std::optional<double> seconds, MetricLines& lines) const {
    const bool taken = nvml_->take_gpm_sample(gpu.device, gpu.after);
    if (taken && gpu.has_before && seconds) {
      const Nvml::GpmValues values = nvml_->gpm_values(gpu.before, gpu.after);
      for (std::size_t at = 0; at < values.size(); ++at) {
        if (!values[at] || *values[at] < 0) continue;
        lines.add(gpu.gpm[at],
                  is_percent(at) ? std::min(100.0, *values[at]) : kMebibyte * *values[at]);
      }
    }
    gpu.has_before = taken;
    std::swap(gpu.before, gpu.after);
  }

  void count_xids() {
    for (const Nvml::Device device : nvml_->new_xids())
      for (NvidiaGpu& gpu : gpus_)
        if (gpu.device == device) ++gpu.xid_count;
  }

  void add_processes(NvidiaGpu& gpu, MetricLines& lines) const {
    const auto processes = nvml_->processes(gpu.device);
    if (!processes) return;
    lines.add(gpu.processes, static_cast<double>(processes->size()));
    for (const auto& [id, bytes] : *processes) {
      if (!bytes) continue;
      auto series = gpu.process_memory.find(id);
      if (series == gpu.process_memory.end()) {
        if (gpu.process_memory.size() == kMostProcessSeries) continue;
        series = gpu.process_memory
                     .emplace(id, lines.add_series("gpu", gpu.name,
                                                   fmt::format("GPUProcessMemoryBytes/{}", id), 0))
                     .first;
      }
      lines.add(series->second, *bytes);
    }
  }

  void add_errors(NvidiaGpu& gpu, MetricLines& lines) const {
    lines.add(gpu.corrected,
              since(gpu.first_corrected, nvml_->ecc_errors(gpu.device, Nvml::corrected)));
    lines.add(gpu.uncorrected,
              since(gpu.first_uncorrected, nvml_->ecc_errors(gpu.device, Nvml::uncorrected)));
    lines.add(gpu.replays, since(gpu.first_replays, nvml_->pcie_replays(gpu.device)));
    add_processes(gpu, lines);
    if (gpu.tells_xids) lines.add(gpu.xids, gpu.xid_count);
  }

  std::unique_ptr<Nvml> nvml_;
  std::vector<NvidiaGpu> gpus_;
  int looks_ = 0;
  std::optional<double> busiest_;
};

} // namespace

std::vector<std::size_t> visible_gpus(const std::string& variable,
                                      const std::vector<std::string>& uuids) {
  std::vector<std::size_t> visible;
  std::string_view rest = variable;
  while (!rest.empty()) {
    const std::size_t comma = std::min(rest.find(','), rest.size());
    const std::string_view word = rest.substr(0, comma);
    rest.remove_prefix(std::min(comma + 1, rest.size()));
    std::size_t at = uuids.size();
    if (const auto number = to_number(word))
      at = static_cast<std::size_t>(*number);
    else if (word.starts_with("GPU-"))
      at = static_cast<std::size_t>(
          std::find_if(uuids.begin(), uuids.end(),
                       [&](const std::string& uuid) { return uuid.starts_with(word); }) -
          uuids.begin());
    if (at >= uuids.size()) break;
    visible.push_back(at);
  }
  return visible;
}

std::unique_ptr<Source> make_nvidia_source(MetricLines& lines, std::optional<std::string> visible,
                                           GpuInventory& inventory) {
  auto nvml = std::make_unique<Nvml>();
  if (!nvml->trouble().empty()) inventory.notes.push_back(nvml->trouble());
  if (!nvml->is_loaded()) return nullptr;
  std::vector<Nvml::Device> devices = nvml->devices();
  if (visible) {
    std::vector<std::string> uuids;
    for (const Nvml::Device device : devices)
      uuids.push_back(nvml->uuid(device));
    std::vector<Nvml::Device> chosen;
    for (const std::size_t at : visible_gpus(*visible, uuids))
      chosen.push_back(devices[at]);
    devices = std::move(chosen);
  }
  if (devices.empty()) return nullptr;
  for (const Nvml::Device device : devices)
    inventory.gpus.push_back({nvml->name(device), nvml->uuid(device)});
  inventory.driver = nvml->driver();
  return std::make_unique<NvidiaSource>(std::move(nvml), devices, lines);
}

} // namespace debrief::record
