#include "pipeline/analyse.h"

#include "aggregate/data_quality.h"
#include "aggregate/job_summary.h"
#include "aggregate/system_usage.h"
#include "util/version.h"

namespace debrief {

Job ingest(const std::string& path, const ReadOptions& options, StageClock& clock) {
  Job job = read_job(path, options);
  std::uint64_t bytes = 0;
  std::uint64_t rows = 0;
  for (const auto& [name, counts] : job.reading.sources) {
    bytes += counts.decoded_bytes;
    rows += counts.samples + counts.events;
  }
  clock.end_stage("ingest", bytes, rows);
  return job;
}

result::Result analyse(const Job& job, const ReadOptions& options, StageClock& clock) {
  result::Result result;
  result.job = job_summary(job);
  result.system_usage = system_usage(job);
  result.data_quality = data_quality(job);
  result.provenance.version = kVersion;
  result.provenance.input = job.input_name;
  if (options.job_start) result.provenance.parameters["job-start"] = to_iso8601(*options.job_start);
  if (options.follow_links) result.provenance.parameters["follow-links"] = "true";
  clock.end_stage("aggregate", 0, result.system_usage.size());
  return result;
}

} // namespace debrief
