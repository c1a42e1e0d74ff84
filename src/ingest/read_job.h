// Reads whatever a finished job left at a path into a Job.
//
// Files are recognized and read in parallel, each on its own; the parts are then joined in the
// order of their paths, so that the outcome does not depend on which file was read first.
#pragma once

#include "ingest/open_file.h"
#include "job/job.h"

#include <functional>
#include <optional>
#include <string>

namespace debrief::ingest {

struct ReadOptions {
  bool follow_links = false;               ///< follow symbolic links inside the job's folder
  std::optional<Microseconds> job_start{}; ///< which job to take where the folder holds several
  std::optional<std::string> run{};        ///< name or id of the tracker's run to take
  /// Called now and then, from several threads, one at a time: files done and files in all.
  std::function<void(std::size_t done, std::size_t total)> progress{};
  std::uint32_t most_unpacked = kMaxUnpacked; ///< times a compressed file's size
};

/// Throws Error (one sentence) where nothing can be read; everything less is in the job's reading
/// report.
job::Job read_job(const std::string& path, const ReadOptions& options);

} // namespace debrief::ingest
