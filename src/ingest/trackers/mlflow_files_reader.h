// MLflow's store of text files, `mlruns/<experiment>/<run>/`: a meta.yaml of each run, and a file
// for each of its metrics and parameters. Each file gives its part of the run; join_runs joins
// them.
#pragma once

#include "ingest/reader.h"

namespace debrief::ingest {

class MlflowFilesReader final : public Reader {
public:
  std::string_view name() const override { return "MLflow files"; }

  bool recognizes(const InputFile& file) const override;
  void read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const override;
};

} // namespace debrief::ingest
