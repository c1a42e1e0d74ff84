// What a sample is made of: each source reads some of the machine's counters and adds lines.
//
// A maker returns nothing where the machine lacks what the source reads: what is not measured is
// absent, never zero. Rates need two looks at a counter, so the first sample has none.
#pragma once

#include "record/metric_lines.h"
#include "record/proc_file.h"

#include <sys/types.h>

#include <memory>
#include <optional>

namespace debrief::record {

class Helpers;

class Source {
public:
  Source() = default;
  virtual ~Source() = default;
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  /// `seconds`: since the last call; nothing at the first.
  virtual void sample(std::optional<double> seconds, Scratch& scratch, MetricLines& lines) = 0;

  /// Of GPUs, the utilization of the busiest at the last sample, in percent; nothing of all else.
  virtual std::optional<double> busiest_gpu() const { return std::nullopt; }
};

/// Each core that this process may run on: busy and waiting for I/O, in percent.
std::unique_ptr<Source> make_cpu_source(const Roots& roots, MetricLines& lines);

/// Memory and swap of the machine, its load, and processes killed for want of memory.
std::unique_ptr<Source> make_memory_source(const Roots& roots, MetricLines& lines);

/// Bytes over network interfaces and InfiniBand ports.
std::unique_ptr<Source> make_network_source(const Roots& roots, MetricLines& lines);

/// Operations and bytes of physical disks.
std::unique_ptr<Source> make_disk_source(const Roots& roots, MetricLines& lines);

/// Pressure stall information: how long tasks waited for cores, I/O and memory.
std::unique_ptr<Source> make_pressure_source(const Roots& roots, MetricLines& lines);

/// The control group's limits (version 1 or 2): throttling of its cores, its memory, its OOM kills.
std::unique_ptr<Source> make_cgroup_source(const Roots& roots, MetricLines& lines);

/// A process and all that descend from it. Where `helpers` are given, orphans of the tree become
/// children of this process, which waits for them; its own helpers do not count.
std::unique_ptr<Source> make_process_source(const Roots& roots, MetricLines& lines, pid_t root,
                                            std::shared_ptr<const Helpers> helpers);

} // namespace debrief::record
