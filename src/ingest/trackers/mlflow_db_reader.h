// MLflow's default store, a SQLite database `mlflow.db`: every run with its metrics, parameters,
// name, times and state. Schemas differ by version, so columns are asked for by name.
#pragma once

#include "ingest/reader.h"

namespace debrief::ingest {

class MlflowDatabaseReader final : public Reader {
public:
  std::string_view name() const override { return "MLflow database"; }

  bool recognizes(const InputFile& file) const override;
  void read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const override;
};

} // namespace debrief::ingest
