// NVIDIA's management library, loaded at run time where the driver has brought it, by declarations
// of debrief's own: of its interface, what the recorder asks.
//
// Every call may be missing (an old driver) or refused (a virtual GPU): then there is no value.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace debrief::record {

class Nvml {
public:
  using Device = void*;
  using GpmSample = void*;
  using EventSet = void*;

  struct Utilization {
    unsigned gpu;    ///< percent of the time in which a kernel ran
    unsigned memory; ///< percent of the time in which memory was read or written
  };

  struct Memory {
    unsigned long long total; ///< bytes
    unsigned long long used;
  };

  struct Process {
    unsigned id;
    std::optional<double> bytes; ///< of the device's memory
  };

  /// Kinds of clocks, temperatures and errors, by their numbers in the library.
  enum Clock : int { sm_clock = 1, memory_clock = 2 };

  enum EccError : int { corrected = 0, uncorrected = 1 };

  /// Bits of what holds a GPU's clocks down.
  enum Reason : unsigned long long {
    software_power_cap = 0x4,
    hardware_slowdown = 0x8,
    software_thermal = 0x20,
    hardware_thermal = 0x40,
    power_brake = 0x80,
  };

  /// Metrics of GPM, by their numbers in the library; percent, or MiB per second.
  enum GpmMetric : unsigned {
    gpm_sm = 2,
    gpm_tensor = 5,
    gpm_dram = 10,
    gpm_pcie_sent = 20,
    gpm_pcie_received = 21,
    gpm_nvlink_received = 60,
    gpm_nvlink_sent = 61,
  };

  static constexpr std::array kGpmMetrics{gpm_sm,         gpm_tensor,        gpm_dram,
                                          gpm_pcie_sent,  gpm_pcie_received, gpm_nvlink_received,
                                          gpm_nvlink_sent};
  /// In the order of kGpmMetrics.
  using GpmValues = std::array<std::optional<double>, kGpmMetrics.size()>;

  /// Loads the library; is_loaded() says whether it answers.
  Nvml();
  ~Nvml();
  Nvml(const Nvml&) = delete;
  Nvml& operator=(const Nvml&) = delete;

  bool is_loaded() const { return ready_; }

  /// Why it does not answer, where it is there; empty: there is none, or it answers.
  const std::string& trouble() const { return trouble_; }

  std::vector<Device> devices() const;
  std::string driver() const;
  std::string name(Device device) const;
  std::string uuid(Device device) const;

  std::optional<Utilization> utilization(Device device) const;
  std::optional<Memory> memory(Device device) const;
  std::optional<double> watts(Device device) const;
  std::optional<double> watts_limit(Device device) const;
  /// Since the driver was loaded.
  std::optional<double> joules(Device device) const;
  std::optional<double> celsius(Device device) const;
  std::optional<double> megahertz(Device device, Clock clock) const;
  std::optional<double> most_megahertz(Device device, Clock clock) const;
  std::optional<unsigned long long> reasons(Device device) const;
  std::optional<double> ecc_errors(Device device, EccError kind) const;
  std::optional<double> pcie_replays(Device device) const;

  /// Processes that compute on it, of all users; their numbers are the machine's, not a
  /// container's.
  std::optional<std::vector<Process>> processes(Device device) const;

  /// From here on the device's XID errors (what the driver writes to the kernel's log) are counted;
  /// false: it does not tell of them.
  bool watch_xids(Device device);
  /// Devices of XID errors since the last call, one for each error.
  std::vector<Device> new_xids() const;

  bool has_gpm(Device device) const;
  /// Nothing where there is no memory, or no GPM.
  GpmSample make_gpm_sample() const;
  void free_gpm_sample(GpmSample sample) const;
  bool take_gpm_sample(Device device, GpmSample sample) const;
  /// Between two samples, at least 100 ms apart.
  GpmValues gpm_values(GpmSample before, GpmSample after) const;

private:
  struct Functions;

  void* library_ = nullptr;
  Functions* functions_ = nullptr;
  EventSet xids_ = nullptr;
  bool ready_ = false;
  std::string trouble_;
};

} // namespace debrief::record
