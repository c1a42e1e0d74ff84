// W&B's local runs, `run-<id>.wandb`: what the script logged, what W&B sampled of the machine, the
// run's name, configuration and end. A run that was resumed has a file for each attempt.
#pragma once

#include "ingest/reader.h"

namespace debrief::ingest {

class WandbReader final : public Reader {
public:
  std::string_view name() const override { return "W&B run"; }

  bool recognizes(const InputFile& file) const override;
  void read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const override;
};

} // namespace debrief::ingest
