// A job's description: `job.json`, or `training-job.json`, SageMaker's DescribeTrainingJob answer.
// All of it is optional; a field of an unexpected type is left out and counted.
#pragma once

#include "ingest/reader.h"

namespace debrief::ingest {

class JobDescriptionReader final : public Reader {
public:
  std::string_view name() const override { return "Job description"; }

  bool recognizes(const InputFile& file) const override;
  void read(InputFile& file, FileReading& reading, job::SourceCounts& counts) const override;
};

/// "….dkr.ecr….com/pytorch-training:1.8.1-gpu-py36-cu111-ubuntu18.04" -> "pytorch 1.8.1"; nothing
/// for other images.
std::optional<std::string> framework_of_image(std::string_view image);

} // namespace debrief::ingest
