// `debrief export`: a job's samples or events as a table for other tools.
#include "cli/command.h"
#include "export/table_file.h"
#include "export/tables.h"
#include "util/text.h"

#include <fmt/format.h>

#include <array>
#include <memory>

namespace debrief::cli {

namespace {

struct ExportOptions : JobOptions {
  std::string to;
  std::string table;
};

constexpr const char* kExamples = R"(Examples:
  debrief export my-job --to metrics.parquet
  debrief export my-job --to events.csv
  debrief export my-job --to gpu-study.arrow --table metrics)";

enum class Table { metrics, events };

/// The table that was asked for, by --table or by the file's name.
Table choose_table(const ExportOptions& options) {
  const auto named = [&](const char* name) {
    return options.table.empty() ? options.to.find(name) != std::string::npos
                                 : options.table == name;
  };
  const bool metrics = named("metrics");
  const bool events = named("events");
  if (metrics != events) return metrics ? Table::metrics : Table::events;
  if (!options.table.empty()) {
    static const std::array<std::string, 2> tables = {"metrics", "events"};
    throw Error(fmt::format("--table {}: there is no such table{}; use metrics or events",
                            printable(options.table), did_you_mean(options.table, tables)));
  }
  throw Error(
      fmt::format("--to {}: the name does not say what to write; call it metrics or events, or add "
                  "--table",
                  printable(options.to)));
}

ExitCode run_export(const ExportOptions& options) {
  const auto format = table_format_of(options.to);
  if (!format)
    throw Error(fmt::format("--to {}: its ending is none of .parquet, .arrow, .feather and .csv",
                            printable(options.to)));
  const Table table = choose_table(options);
  StageClock clock;
  const Job job = options.read(options.read_options(), clock);

  const bool metrics = table == Table::metrics;
  if (metrics ? job.metrics.empty() : job.events.size() == 0)
    throw Error(fmt::format("{}: the job has no {}; it has {}", printable(options.job),
                            metrics ? "metrics" : "events",
                            metrics ? count_of(job.events.size(), "event")
                                    : count_of(job.metrics.size(), "metric series")));
  const std::uint64_t rows =
      write_table(options.to, *format, metrics ? metrics_schema() : events_schema(),
                  [&](const BatchSink& sink) {
                    metrics ? for_each_metrics_batch(job, sink) : for_each_events_batch(job, sink);
                  });
  clock.end_stage("export", 0, rows);
  if (!options.quiet) fmt::print("{} rows: {}\n", rows, options.to);
  if (options.stats) fmt::print(stderr, "{}", clock.table());
  const bool lost = !job.reading.skipped.empty() || !job.reading.damaged_files.empty();
  return options.strict && lost ? ExitCode::incomplete : ExitCode::done;
}

} // namespace

Run add_export(CLI::App& app) {
  auto* command = app.add_subcommand("export", "Write a job's metrics or events as a table");
  auto options = std::make_shared<ExportOptions>();
  options->add_job_to(*command);
  command
      ->add_option("--to", options->to,
                   "The file to write, by its ending: .parquet, .arrow,\n.feather or .csv")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("--table", options->table,
                   "metrics or events. Default: what the file's name says")
      ->type_name("TABLE");
  options->add_options_to(*command);
  command->footer(kExamples);
  return [options] { return run_export(*options); };
}

} // namespace debrief::cli
