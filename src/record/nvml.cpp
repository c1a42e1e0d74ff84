#include "record/nvml.h"

#include <fmt/format.h>

#include <algorithm>
#include <dlfcn.h>
#include <span>
#include <utility>

namespace debrief::record {

namespace {

constexpr int kSuccess = 0;
constexpr int kTemperatureOfGpu = 0;
constexpr int kSinceReboot = 0;
constexpr unsigned kTextSize = 96;
constexpr unsigned kMostDevices = 64;
constexpr unsigned kMostGpuProcesses = 256;
constexpr unsigned long long kXidEvent = 0x8;
/// The library's way to say that it does not know.
constexpr unsigned long long kNotAvailable = ~0ULL;
/// Of one look; what is beyond counts at the next.
constexpr std::size_t kMostEvents = 1000;
/// More than any version of the library has metrics; it writes as many as are asked for.
constexpr std::size_t kGpmRoom = 512;

/// What a function says of a device, as a number; nothing where it is missing or refuses.
template <typename Value, typename Function, typename... Arguments>
std::optional<double> ask(Function function, double scale, Arguments... arguments) {
  Value value{};
  if (function == nullptr || function(arguments..., &value) != kSuccess) return std::nullopt;
  return scale * static_cast<double>(value);
}

} // namespace

/// The library's own structs.
namespace nvml_types {

struct MemoryVersion1 {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

struct MemoryVersion2 {
  unsigned version;
  unsigned long long total;
  unsigned long long reserved;
  unsigned long long free;
  unsigned long long used;
};

constexpr unsigned kMemoryVersion2 = sizeof(MemoryVersion2) | (2U << 24U);

struct Process {
  unsigned pid;
  unsigned long long memory;
  unsigned gpu_instance;
  unsigned compute_instance;
};

struct EventData {
  Nvml::Device device;
  unsigned long long type;
  unsigned long long data;
  unsigned gpu_instance;
  unsigned compute_instance;
};

struct GpmSupport {
  unsigned version = 1;
  unsigned is_supported = 0;
};

struct GpmMetricValue {
  unsigned id;
  int outcome;
  double value;
  std::array<const char*, 3> texts;
};

struct GpmRequest {
  unsigned version = 1;
  unsigned count = 0;
  Nvml::GpmSample before = nullptr;
  Nvml::GpmSample after = nullptr;
  std::array<GpmMetricValue, kGpmRoom> metrics{};
};

} // namespace nvml_types

/// As the library declares them; empty where it has no such function.
struct Nvml::Functions {
  int (*init)() = nullptr;
  int (*shutdown)() = nullptr;
  const char* (*error_text)(int) = nullptr;
  int (*count)(unsigned*) = nullptr;
  int (*device)(unsigned, Device*) = nullptr;
  int (*driver)(char*, unsigned) = nullptr;
  int (*name)(Device, char*, unsigned) = nullptr;
  int (*uuid)(Device, char*, unsigned) = nullptr;
  int (*utilization)(Device, Utilization*) = nullptr;
  int (*memory1)(Device, nvml_types::MemoryVersion1*) = nullptr;
  int (*memory2)(Device, nvml_types::MemoryVersion2*) = nullptr;
  int (*power)(Device, unsigned*) = nullptr;
  int (*power_limit)(Device, unsigned*) = nullptr;
  int (*energy)(Device, unsigned long long*) = nullptr;
  int (*temperature)(Device, int, unsigned*) = nullptr;
  int (*clock)(Device, int, unsigned*) = nullptr;
  int (*most_clock)(Device, int, unsigned*) = nullptr;
  int (*reasons)(Device, unsigned long long*) = nullptr;
  int (*ecc)(Device, int, int, unsigned long long*) = nullptr;
  int (*replays)(Device, unsigned*) = nullptr;
  int (*processes)(Device, unsigned*, nvml_types::Process*) = nullptr;
  int (*make_events)(EventSet*) = nullptr;
  int (*free_events)(EventSet) = nullptr;
  int (*register_events)(Device, unsigned long long, EventSet) = nullptr;
  int (*wait_event)(EventSet, nvml_types::EventData*, unsigned) = nullptr;
  int (*gpm_support)(Device, nvml_types::GpmSupport*) = nullptr;
  int (*gpm_alloc)(GpmSample*) = nullptr;
  int (*gpm_free)(GpmSample) = nullptr;
  int (*gpm_take)(Device, GpmSample) = nullptr;
  int (*gpm_metrics)(nvml_types::GpmRequest*) = nullptr;
  nvml_types::GpmRequest request; ///< large: one for all
};

Nvml::Nvml() {
  // The driver's own name for it; a link without the number may be a stub of the toolkit.
  library_ = ::dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library_ == nullptr) return;
  functions_ = new Functions;
  const auto find = [&](auto& function, const char* name, const char* older = nullptr) {
    void* symbol = ::dlsym(library_, name);
    if (symbol == nullptr && older != nullptr) symbol = ::dlsym(library_, older);
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(symbol);
  };
  Functions& it = *functions_;
  find(it.init, "nvmlInit_v2", "nvmlInit");
  find(it.shutdown, "nvmlShutdown");
  find(it.error_text, "nvmlErrorString");
  find(it.count, "nvmlDeviceGetCount_v2", "nvmlDeviceGetCount");
  find(it.device, "nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex");
  find(it.driver, "nvmlSystemGetDriverVersion");
  find(it.name, "nvmlDeviceGetName");
  find(it.uuid, "nvmlDeviceGetUUID");
  find(it.utilization, "nvmlDeviceGetUtilizationRates");
  find(it.memory1, "nvmlDeviceGetMemoryInfo");
  find(it.memory2, "nvmlDeviceGetMemoryInfo_v2");
  find(it.power, "nvmlDeviceGetPowerUsage");
  find(it.power_limit, "nvmlDeviceGetEnforcedPowerLimit");
  find(it.energy, "nvmlDeviceGetTotalEnergyConsumption");
  find(it.temperature, "nvmlDeviceGetTemperature");
  find(it.clock, "nvmlDeviceGetClockInfo");
  find(it.most_clock, "nvmlDeviceGetMaxClockInfo");
  find(it.reasons, "nvmlDeviceGetCurrentClocksEventReasons",
       "nvmlDeviceGetCurrentClocksThrottleReasons");
  find(it.ecc, "nvmlDeviceGetTotalEccErrors");
  find(it.replays, "nvmlDeviceGetPcieReplayCounter");
  find(it.processes, "nvmlDeviceGetComputeRunningProcesses_v3");
  find(it.make_events, "nvmlEventSetCreate");
  find(it.free_events, "nvmlEventSetFree");
  find(it.register_events, "nvmlDeviceRegisterEvents");
  find(it.wait_event, "nvmlEventSetWait_v2");
  find(it.gpm_support, "nvmlGpmQueryDeviceSupport");
  find(it.gpm_alloc, "nvmlGpmSampleAlloc");
  find(it.gpm_free, "nvmlGpmSampleFree");
  find(it.gpm_take, "nvmlGpmSampleGet");
  find(it.gpm_metrics, "nvmlGpmMetricsGet");
  const int outcome = it.init == nullptr ? -1 : it.init();
  ready_ = outcome == kSuccess;
  if (!ready_)
    trouble_ = fmt::format("NVIDIA's driver does not answer ({}); GPUs are not recorded",
                           it.error_text != nullptr && outcome >= 0 ? it.error_text(outcome)
                                                                    : "no nvmlInit");
}

Nvml::~Nvml() {
  if (xids_ != nullptr && functions_->free_events != nullptr) functions_->free_events(xids_);
  if (ready_ && functions_->shutdown != nullptr) functions_->shutdown();
  delete functions_;
  // The library stays loaded: it may have threads.
}

std::vector<Nvml::Device> Nvml::devices() const {
  std::vector<Device> found;
  unsigned count = 0;
  if (!ready_ || functions_->count == nullptr || functions_->device == nullptr ||
      functions_->count(&count) != kSuccess)
    return found;
  for (unsigned index = 0; index < std::min(count, kMostDevices); ++index) {
    Device device = nullptr;
    if (functions_->device(index, &device) == kSuccess) found.push_back(device);
  }
  return found;
}

std::string Nvml::driver() const {
  std::array<char, kTextSize> text{};
  if (functions_->driver == nullptr || functions_->driver(text.data(), kTextSize - 1) != kSuccess)
    return "";
  return text.data();
}

std::string Nvml::name(Device device) const {
  std::array<char, kTextSize> text{};
  if (functions_->name == nullptr ||
      functions_->name(device, text.data(), kTextSize - 1) != kSuccess)
    return "";
  return text.data();
}

std::string Nvml::uuid(Device device) const {
  std::array<char, kTextSize> text{};
  if (functions_->uuid == nullptr ||
      functions_->uuid(device, text.data(), kTextSize - 1) != kSuccess)
    return "";
  return text.data();
}

std::optional<Nvml::Utilization> Nvml::utilization(Device device) const {
  Utilization value{};
  if (functions_->utilization == nullptr || functions_->utilization(device, &value) != kSuccess)
    return std::nullopt;
  return value;
}

std::optional<Nvml::Memory> Nvml::memory(Device device) const {
  nvml_types::MemoryVersion2 newer{};
  newer.version = nvml_types::kMemoryVersion2;
  if (functions_->memory2 != nullptr && functions_->memory2(device, &newer) == kSuccess)
    return Memory{newer.total, newer.used};
  nvml_types::MemoryVersion1 older{};
  if (functions_->memory1 != nullptr && functions_->memory1(device, &older) == kSuccess)
    return Memory{older.total, older.used};
  return std::nullopt;
}

std::optional<double> Nvml::watts(Device device) const {
  return ask<unsigned>(functions_->power, 1e-3, device);
}

std::optional<double> Nvml::watts_limit(Device device) const {
  return ask<unsigned>(functions_->power_limit, 1e-3, device);
}

std::optional<double> Nvml::joules(Device device) const {
  return ask<unsigned long long>(functions_->energy, 1e-3, device);
}

std::optional<double> Nvml::celsius(Device device) const {
  return ask<unsigned>(functions_->temperature, 1, device, kTemperatureOfGpu);
}

std::optional<double> Nvml::megahertz(Device device, Clock clock) const {
  return ask<unsigned>(functions_->clock, 1, device, static_cast<int>(clock));
}

std::optional<double> Nvml::most_megahertz(Device device, Clock clock) const {
  return ask<unsigned>(functions_->most_clock, 1, device, static_cast<int>(clock));
}

std::optional<unsigned long long> Nvml::reasons(Device device) const {
  unsigned long long value = 0;
  if (functions_->reasons == nullptr || functions_->reasons(device, &value) != kSuccess)
    return std::nullopt;
  return value;
}

std::optional<double> Nvml::ecc_errors(Device device, EccError kind) const {
  return ask<unsigned long long>(functions_->ecc, 1, device, static_cast<int>(kind), kSinceReboot);
}

std::optional<double> Nvml::pcie_replays(Device device) const {
  return ask<unsigned>(functions_->replays, 1, device);
}

std::optional<std::vector<Nvml::Process>> Nvml::processes(Device device) const {
  std::array<nvml_types::Process, kMostGpuProcesses> found{};
  unsigned count = kMostGpuProcesses;
  if (functions_->processes == nullptr ||
      functions_->processes(device, &count, found.data()) != kSuccess)
    return std::nullopt;
  std::vector<Process> processes;
  for (const nvml_types::Process& it :
       std::span(found).first(std::min<std::size_t>(count, found.size())))
    processes.push_back({it.pid, it.memory == kNotAvailable
                                     ? std::nullopt
                                     : std::optional{static_cast<double>(it.memory)}});
  return processes;
}

bool Nvml::watch_xids(Device device) {
  if (functions_->make_events == nullptr || functions_->register_events == nullptr ||
      functions_->wait_event == nullptr)
    return false;
  if (xids_ == nullptr && functions_->make_events(&xids_) != kSuccess) {
    xids_ = nullptr;
    return false;
  }
  return functions_->register_events(device, kXidEvent, xids_) == kSuccess;
}

std::vector<Nvml::Device> Nvml::new_xids() const {
  std::vector<Device> found;
  nvml_types::EventData event{};
  while (xids_ != nullptr && found.size() < kMostEvents &&
         functions_->wait_event(xids_, &event, /*milliseconds=*/0) == kSuccess)
    if (event.type == kXidEvent) found.push_back(event.device);
  return found;
}

bool Nvml::has_gpm(Device device) const {
  nvml_types::GpmSupport support;
  return functions_->gpm_support != nullptr && functions_->gpm_metrics != nullptr &&
         functions_->gpm_take != nullptr && functions_->gpm_alloc != nullptr &&
         functions_->gpm_support(device, &support) == kSuccess && support.is_supported != 0;
}

Nvml::GpmSample Nvml::make_gpm_sample() const {
  GpmSample sample = nullptr;
  return functions_->gpm_alloc != nullptr && functions_->gpm_alloc(&sample) == kSuccess ? sample
                                                                                        : nullptr;
}

void Nvml::free_gpm_sample(GpmSample sample) const {
  if (sample != nullptr && functions_->gpm_free != nullptr) functions_->gpm_free(sample);
}

bool Nvml::take_gpm_sample(Device device, GpmSample sample) const {
  return sample != nullptr && functions_->gpm_take(device, sample) == kSuccess;
}

Nvml::GpmValues Nvml::gpm_values(GpmSample before, GpmSample after) const {
  nvml_types::GpmRequest& request = functions_->request;
  request.version = 1;
  request.count = static_cast<unsigned>(kGpmMetrics.size());
  request.before = before;
  request.after = after;
  for (std::size_t at = 0; at < kGpmMetrics.size(); ++at)
    request.metrics[at] = {kGpmMetrics[at], -1, 0, {}};
  GpmValues values;
  if (functions_->gpm_metrics(&request) != kSuccess) return values;
  for (std::size_t at = 0; at < kGpmMetrics.size(); ++at)
    if (request.metrics[at].outcome == kSuccess) values[at] = request.metrics[at].value;
  return values;
}

} // namespace debrief::record
