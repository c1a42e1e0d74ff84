// SageMaker's system metrics: JSON lines, one sample a line.
//
//   {"Type":"cpu","Name":"cpu0","Dimension":"CPUUtilization","Value":98.5,"NodeId":"algo-1","Timestamp":1737457754.001811}
//
// One file per node and minute, `system/incremental/<YYYYMMDDHH>/<unix s>.<node>.json`. Lines come
// in any order, the last one may be cut off, and percentages may be slightly outside 0 to 100.
#pragma once

#include "ingest/reader.h"

namespace debrief::ingest {

class SystemMetricsReader final : public Reader {
public:
  std::string_view name() const override { return "SageMaker system metrics"; }

  bool recognizes(const InputFile& file) const override;
  void read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const override;
};

/// The node in a file's name, "1594662600.algo-1.json" -> "algo-1"; empty where it has none.
std::string_view node_in_metrics_file_name(std::string_view file_name);

} // namespace debrief::ingest
