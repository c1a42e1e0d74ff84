#include "cli/command.h"
#include "cli/outputs.h"
#include "cli/terminal.h"
#include "pipeline/analyze.h"
#include "util/text.h"

#include <fmt/format.h>

namespace debrief::cli {

namespace {

constexpr const char* kJobHelp = "A folder or a file: SageMaker's profiler-output or any\n"
                                 "folder above it, PyTorch profiler traces\n"
                                 "(*.pt.trace.json), logs of W&B, MLflow, TensorBoard,\n"
                                 "Hugging Face, Lightning or nvidia-smi, or a folder of\n"
                                 "rule outputs. Files may be compressed by gzip.";

} // namespace

void JobOptions::add_job_to(CLI::App& command) {
  command.add_option("JOB", job, kJobHelp)->type_name("")->required();
}

void JobOptions::add_jobs_to(CLI::App& command, std::vector<std::string>& jobs) {
  command.add_option("JOB", jobs, kJobHelp)->type_name("")->required();
}

void JobOptions::add_options_to(CLI::App& command) {
  command
      .add_option("--job-start", job_start,
                  "Which job to take if the folder has several: a time at\nwhich it ran, ISO-8601 "
                  "or unix seconds. Default: the\none that the description names, else the largest")
      ->type_name("TIME")
      ->check(validate_not_empty);
  command
      .add_option("--run", run,
                  "Which run to take if W&B or MLflow logged several: its\nname or id. Default: "
                  "the latest")
      ->type_name("NAME")
      ->check(validate_not_empty);
  command
      .add_option("--max-unpack", max_unpack,
                  fmt::format("Limit for compressed files, in times their size; the\nrest is "
                              "skipped and listed. Default: {}",
                              ingest::kMaxUnpacked))
      ->type_name("TIMES")
      ->check(CLI::Range(1, 1'000'000));
  command.add_flag("--follow-links", follow_links, "Follow symbolic links inside the job's folder");
  command.add_flag("--strict", strict, "Exit with status 3 if any input was unreadable");
  command.add_flag("--stats", stats, "Print time, bytes, rows and peak memory per stage");
  command.add_flag("-q,--quiet", quiet, "Print only errors");
  command.add_flag("--no-color", no_color, "Disable color (also: NO_COLOR=1)");
}

ingest::ReadOptions JobOptions::read_options() const {
  ingest::ReadOptions options;
  options.follow_links = follow_links;
  options.most_unpacked = max_unpack;
  if (!run.empty()) options.run = run;
  if (!job_start.empty()) {
    options.job_start = parse_time(job_start);
    if (!options.job_start)
      throw Error(
          fmt::format("--job-start: invalid time '{}'; write 2026-11-14T23:48:10Z or unix seconds",
                      printable(job_start)));
    if (!is_plausible(*options.job_start))
      throw Error(fmt::format(
          "--job-start: '{}' is not in this century; use unix seconds, not milliseconds",
          printable(job_start)));
  }
  return options;
}

job::Job JobOptions::read(ingest::ReadOptions options, pipeline::StageClock& clock) const {
  Progress progress{quiet};
  options.progress = [&](std::size_t done, std::size_t total) { progress.show(done, total); };
  return pipeline::ingest(job, options, clock);
}

} // namespace debrief::cli
