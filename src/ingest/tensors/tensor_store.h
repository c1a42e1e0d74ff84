// Reads tensors' values out of the event files that an index points into, only the parts that are
// wanted.
#pragma once

#include "ingest/discover.h"
#include "job/tensors.h"

#include <string>
#include <vector>

namespace debrief::ingest::tensors {

class TensorStore final : public job::TensorSource {
public:
  /// `files` are paths below `root`, by their number (job::TensorStep::file). With `follow_links`
  /// they may lead through symbolic links.
  TensorStore(std::string root, std::vector<std::string> files, bool follow_links)
      : root_(std::move(root))
      , files_(std::move(files))
      , follow_links_(follow_links) {}

  void load(const job::TensorStep& step, std::span<const Wanted> wanted, const Sink& sink,
            job::Troubles& lost) const override;

  std::optional<TimeSpan> written(const job::TensorStep& step,
                                  std::span<const job::TensorRecord> records) const override;

private:
  std::string root_;
  std::vector<std::string> files_;
  bool follow_links_;
};

} // namespace debrief::ingest::tensors
