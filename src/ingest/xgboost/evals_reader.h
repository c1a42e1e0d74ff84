// What XGBoost's evals_result holds after training, as JSON: {"train": {"logloss": [0.6, …]}, …}.
#pragma once

#include "ingest/reader.h"

namespace debrief::ingest {

class EvalsResultReader final : public Reader {
public:
  std::string_view name() const override { return "XGBoost evals_result"; }

  bool recognizes(const InputFile& file) const override;
  void read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const override;
};

} // namespace debrief::ingest
