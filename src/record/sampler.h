// One thread that takes samples of the machine at fixed times and writes them.
//
// It never throws into the program and never holds it up: where a driver hangs, stop() gives up
// after a while and leaves the thread behind.
#pragma once

#include "record/gpu.h"
#include "record/helpers.h"
#include "record/proc_file.h"
#include "util/time.h"

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace debrief::record {

inline constexpr std::chrono::milliseconds kLeastInterval{100};
inline constexpr std::chrono::milliseconds kMostInterval{60'000};

/// A GPU at or above it, in percent, is not idle.
inline constexpr double kIdleGpuPercent = 5;

struct SamplerOptions {
  std::chrono::milliseconds interval{500};
  std::filesystem::path folder; ///< profiler-output/system
  std::string node;             ///< NodeId of the samples
  pid_t root = 0;               ///< whose processes are followed
  /// This process waits for orphans of that tree, and these are not of it; null: it does not.
  std::shared_ptr<const Helpers> helpers{};
  /// Called once, from the sampler's thread: asking for GPUs may take a second.
  std::function<void(const GpuInventory&)> found_gpus{};
  Roots roots{};
};

class Sampler {
public:
  explicit Sampler(SamplerOptions options);
  /// As stop() does.
  ~Sampler();
  Sampler(const Sampler&) = delete;
  Sampler& operator=(const Sampler&) = delete;

  void start();

  /// Takes the last sample, and finishes the files.
  void stop();

  /// For how long, up to the last sample, no GPU was busier than kIdleGpuPercent; nothing where no
  /// GPU was sampled.
  std::optional<std::chrono::milliseconds> gpus_idle_for() const;

  /// What a person should know; after stop().
  std::vector<std::string> notes() const;

private:
  struct State;
  /// Shared with the thread, which may outlive this.
  std::shared_ptr<State> state_;
};

} // namespace debrief::record
