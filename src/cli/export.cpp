// `debrief export`: a job's samples, events, slices or scalars as a table, or all of them as one
// timeline, for other tools.
#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/tables.h"
#include "cli/terminal.h"
#include "export/chrome_trace_file.h"
#include "export/job_table.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <memory>

namespace debrief::cli {

namespace {

struct ExportOptions : JobOptions {
  std::string to;
  std::string table;
  std::string from;
  std::string until;
  std::string steps;
};

constexpr const char* kExportExamples = R"(Examples:
  debrief export my-job --to metrics.parquet
  debrief export my-job --to events.csv
  debrief export my-job --to gpu-study.arrow --table slices
  debrief export my-job --to timeline.json.gz --steps 22..24
  debrief export my-job --to timeline.json --from 12.5 --until 14)";

struct TableKind {
  const char* name;
  std::size_t (*size)(const job::Job& job);
  const char* noun; ///< of what `size` counts
};

std::size_t slice_count(const job::Job& job) {
  std::size_t count = 0;
  for (const job::Trace& trace : job.traces)
    count += trace.slices.size();
  return count;
}

const std::array<TableKind, 4> kTables = {{
    {"metrics", [](const job::Job& job) { return job.metrics.size(); }, "metric series"},
    {"events", [](const job::Job& job) { return job.events.size(); }, "event"},
    {"slices", slice_count, "slice"},
    {"scalars", [](const job::Job& job) { return job.scalars.size(); }, "scalar"},
}};

/// The table that was asked for, by --table or by the file's name.
const TableKind& choose_table(const ExportOptions& options) {
  const auto named = [&](const TableKind& table) {
    return options.table.empty() ? options.to.find(table.name) != std::string::npos
                                 : options.table == table.name;
  };
  const auto found = std::find_if(kTables.begin(), kTables.end(), named);
  if (found != kTables.end() && std::none_of(found + 1, kTables.end(), named)) return *found;
  if (!options.table.empty()) {
    static const std::array<std::string, 4> tables = {"metrics", "events", "slices", "scalars"};
    throw Error(fmt::format("--table {}: unknown table{}; use metrics, events, slices or scalars",
                            printable(options.table), did_you_mean(options.table, tables)));
  }
  throw Error(fmt::format("--to {}: cannot guess the table from the name; call it metrics, events, "
                          "slices or scalars, or add --table",
                          printable(options.to)));
}

bool is_timeline(const std::string& file) {
  return file.ends_with(".json") || file.ends_with(".json.gz");
}

/// "the job has no slices; it has 12 metric series and 40 events".
[[noreturn]] void fail_empty_table(const ExportOptions& options, const TableKind& wanted,
                                   const job::Job& job) {
  std::string there;
  for (const TableKind& table : kTables)
    if (const std::size_t size = table.size(job); size > 0)
      there += (there.empty() ? "" : " and ") +
               (size > 1 && std::string_view{table.noun} == "metric series"
                    ? fmt::format("{} metric series", size)
                    : count_of(size, table.noun));
  throw Error(fmt::format("{}: the job has no {}; it has {}", printable(options.job), wanted.name,
                          there.empty() ? "no tables at all" : there));
}

std::uint64_t export_table(const ExportOptions& options, const TableKind& table,
                           exports::TableFormat format, pipeline::StageClock& clock,
                           const job::Job& job) {
  if (table.size(job) == 0) fail_empty_table(options, table, job);
  const std::uint64_t rows = write_table(table.name, options.to, format, job);
  clock.end_stage("export", 0, rows);
  return rows;
}

ExitCode outcome_of(const ExportOptions& options, const pipeline::StageClock& clock,
                    const job::Job& job) {
  if (options.stats) print_to_stderr(clock.table());
  const bool lost = !job.reading.skipped.empty() || !job.reading.damaged_files.empty();
  if (!options.strict || !lost) return ExitCode::done;
  print_note("--strict: some of the input could not be read; 'debrief report' says what");
  return ExitCode::incomplete;
}

/// A name that ends with '/': every table, for programs that want to look at all of a job.
bool is_folder(const std::string& target) {
  return target.ends_with('/');
}

std::string table_in(const std::string& folder, const TableKind& table) {
  return folder + table.name + ".arrow";
}

/// Tables without rows are written, too, so that who reads them need not ask.
ExitCode export_all(const ExportOptions& options) {
  if (!options.table.empty())
    throw Error(fmt::format("--table {}: a folder gets every table; leave out --table, or name a "
                            "file",
                            printable(options.table)));
  need_tables();
  Inputs inputs;
  inputs.add_job(options.job, options.follow_links);
  for (const TableKind& table : kTables)
    inputs.refuse({{"--to", table_in(options.to, table)}});
  pipeline::StageClock clock;
  const job::Job job = options.read(options.read_options(), clock);
  std::error_code error;
  std::filesystem::create_directories(options.to, error);
  if (error)
    throw Error(fmt::format("--to {}: cannot create the folder ({}); choose another place",
                            printable(options.to), error.message()));
  std::uint64_t rows = 0;
  for (const TableKind& table : kTables)
    rows +=
        write_table(table.name, table_in(options.to, table), exports::TableFormat::arrow_ipc, job);
  clock.end_stage("export", 0, rows);
  if (!options.quiet) fmt::print("{} rows: {}\n", rows, printable(options.to));
  return outcome_of(options, clock, job);
}

ExitCode run_export(const ExportOptions& options) {
  if (is_folder(options.to)) return export_all(options);
  const bool timeline = is_timeline(options.to);
  const auto format = exports::table_format_of(options.to);
  if (!format && !timeline)
    throw Error(fmt::format("--to {}: unknown file type; use .parquet, .arrow, .feather or .csv (a "
                            "table), .json or .json.gz (a timeline), or a folder/ (every table)",
                            printable(options.to)));
  const exports::RangeRequest range{options.from, options.until, options.steps};
  if (timeline && !options.table.empty())
    throw Error(fmt::format("--table {}: a {} file is a timeline of everything; leave out --table, "
                            "or write .parquet, .arrow, .feather or .csv",
                            printable(options.table),
                            options.to.ends_with(".gz") ? ".json.gz" : ".json"));
  if (!timeline && !range.empty())
    throw Error(
        "--from, --until and --steps are for timelines (.json, .json.gz); a table has all rows");
  const TableKind* table = timeline ? nullptr : &choose_table(options);
  if (table != nullptr) need_tables();
  Inputs inputs;
  inputs.add_job(options.job, options.follow_links);
  inputs.refuse({{"--to", options.to}});
  pipeline::StageClock clock;
  const job::Job job = options.read(options.read_options(), clock);

  if (timeline) {
    const exports::ChromeTraceFile file = exports::write_chrome_trace(job, range, options.to);
    clock.end_stage("export", file.bytes, file.events);
    if (!options.quiet) fmt::print("{} events: {}\n", file.events, printable(options.to));
  } else {
    const std::uint64_t rows = export_table(options, *table, *format, clock, job);
    if (!options.quiet) fmt::print("{} rows: {}\n", rows, printable(options.to));
  }
  return outcome_of(options, clock, job);
}

} // namespace

Run add_export(CLI::App& app) {
  auto* command =
      app.add_subcommand("export", "Write a job's data as a table, or as a timeline for Perfetto");
  auto options = std::make_shared<ExportOptions>();
  options->add_job_to(*command);
  command
      ->add_option(
          "--to", options->to,
          "The file to write: a table (.parquet, .arrow, .feather,\n.csv), or metrics, "
          "timelines and traces on one clock\n(.json, .json.gz) for Perfetto; or a folder/ "
          "for every\ntable, as .arrow files")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("--table", options->table,
                   "metrics, events, slices (of PyTorch traces) or scalars (what\nthe script "
                   "logged). Default: "
                   "from the file's name")
      ->type_name("TABLE");
  command
      ->add_option("--from", options->from,
                   "Timeline only: start here; seconds after the job's\nstart (12.5), ISO-8601 or "
                   "unix seconds")
      ->type_name("TIME");
  command->add_option("--until", options->until, "Timeline only: end here")->type_name("TIME");
  command
      ->add_option("--steps", options->steps,
                   "Timeline only: these steps (22 or 22..24) and the GPU\nwork they launch")
      ->type_name("STEPS");
  options->add_options_to(*command);
  command->footer(kExportExamples);
  return [options] { return run_export(*options); };
}

} // namespace debrief::cli
