// What W&B's system statistics are called by the recorder (docs/inputs.md).
#pragma once

#include "ingest/trackers/tracker_metrics.h"

#include <optional>
#include <string>
#include <string_view>

namespace debrief::ingest::trackers {

/// One key of a statistics record: "gpu.0.powerWatts", "cpu/l:worker-1".
struct WandbStat {
  std::string_view key;  ///< without its label
  std::string_view node; ///< the label of a run that several machines log to; else empty
};

WandbStat wandb_stat(std::string_view key);

/// Nothing for a key that the recorder has nothing alike for. `disk.<device>.in` and `.out` are
/// left to the reader, since the recorder has the sum over disks.
std::optional<MetricRule> wandb_metric(std::string_view key);

/// Whether the key counts the megabytes that a disk has read, or has written.
bool is_wandb_disk_read(std::string_view key);
bool is_wandb_disk_write(std::string_view key);

/// Of the sums over disks.
MetricRule wandb_disk_metric(bool read);

} // namespace debrief::ingest::trackers
