#include "cli/batch_report.h"

#include "cli/config_trust.h"
#include "cli/terminal.h"
#include "ingest/list_runs.h"
#include "overview/entry.h"
#include "overview/names.h"
#include "pipeline/analyze.h"
#include "render/overview/overview_page.h"
#include "render/parts/format.h"
#include "util/out_of_memory.h"
#include "util/parallel.h"
#include "util/pending_file.h"
#include "util/text.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <mutex>
#include <new>

namespace debrief::cli {

namespace {

using overview::Entry;

std::string within(const std::string& folder, const std::string& name) {
  return folder.empty() ? "" : (std::filesystem::path{folder} / name).string();
}

void make_folder(const char* option, const std::string& folder) {
  if (folder.empty()) return;
  std::error_code error;
  std::filesystem::create_directories(folder, error);
  if (error)
    throw Error(fmt::format("{} {}: cannot create the folder ({}); choose another place", option,
                            printable(folder), error.message()));
}

/// Options that name a file of one job name a folder of files here.
Outputs outputs_of(const Outputs& all, const std::string& out_dir, const std::string& name) {
  Outputs own = all;
  own.page = within(out_dir, name + ".html");
  own.json = within(all.json, name + ".json");
  own.markdown = within(all.markdown, name + ".md");
  own.rule_outputs = within(all.rule_outputs, name);
  return own;
}

/// One report: of a path, or of one of the runs that its trackers logged.
struct BatchJob {
  std::string path;
  std::optional<std::string> run; ///< id
  std::string label;              ///< what the page is named after
};

/// A path whose store has several runs is a job for each of them.
std::vector<BatchJob> jobs_of(const std::vector<std::string>& paths,
                              const ingest::ReadOptions& options) {
  std::vector<BatchJob> out;
  for (const std::string& path : paths) {
    std::vector<ingest::StoredRunName> runs;
    try {
      runs = ingest::list_runs(path, options);
    } catch (const Error&) {
      runs.clear(); // its report says what is wrong
    }
    if (runs.size() < 2) {
      out.push_back({path, std::nullopt, path});
      continue;
    }
    for (const ingest::StoredRunName& run : runs)
      out.push_back({path, run.id, safe_file_name(run.label, "run")});
  }
  return out;
}

/// No page, result or rule file takes the place of a file of any of the jobs.
void refuse_inputs(const BatchOptions& batch, const std::vector<std::string>& jobs,
                   const std::vector<std::string>& names, const JobOptions& options,
                   const Outputs& outputs, const std::string& config) {
  Inputs inputs;
  for (const std::string& job : jobs)
    inputs.add_job(job, options.follow_links);
  inputs.add_file(config, "is the config file");
  inputs.refuse({{"--out-dir", within(batch.out_dir, "index.html")}});
  for (const std::string& name : names) {
    std::vector<NamedFile> files = outputs_of(outputs, batch.out_dir, name).all_files();
    files.front().option = "--out-dir";
    inputs.refuse(files);
  }
}

/// The report of one job; what is wrong with it becomes the entry's sentence. Throws
/// std::bad_alloc.
ExitCode report_on(Entry& entry, const pipeline::AnalyzeOptions& options, const Outputs& outputs,
                   pipeline::StageClock& clock) {
  try {
    const result::Result result =
        pipeline::analyze(pipeline::ingest(entry.input, options.read, clock), options, clock);
    outputs.write(result, clock, true);
    overview::fill(entry, result);
    return ExitCode::done;
  } catch (const Error& error) {
    entry.error = error.what();
    return ExitCode::bad_input;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {
    entry.error = fmt::format("{}: internal error: {}; please report it with this input",
                              printable(entry.input), printable(error.what()));
  }
  return ExitCode::internal;
}

/// "998 reports: 12 critical, 86 warning and 900 healthy; 2 jobs failed"
std::string summary(const std::vector<Entry>& entries, std::size_t failed) {
  const auto plural = [](std::size_t count, std::string_view noun) {
    return render::plural(static_cast<std::int64_t>(count), noun);
  };
  std::string out = plural(entries.size() - failed, "report");
  if (failed < entries.size()) out += ": " + render::verdict_counts(entries);
  if (failed > 0) out += fmt::format("; {} failed", plural(failed, "job"));
  return out;
}

} // namespace

void BatchOptions::add_to(CLI::App& command) {
  command.add_flag("--each", each,
                   "Report on several JOBs at once, into --out-dir, with an\nindex.html that lists "
                   "them; of a store with several runs\n(W&B, MLflow) on each run. --json and "
                   "--markdown then\nname folders");
  command.add_option("--out-dir", out_dir, "Folder for the pages of --each; created if missing")
      ->type_name("DIR")
      ->check(validate_not_empty);
}

void BatchOptions::check(const std::vector<std::string>& jobs, const JobOptions& options,
                         const Outputs& outputs) const {
  if (!each) {
    if (!out_dir.empty())
      throw Error("--out-dir is for the reports of --each; name a single page with -o");
    if (jobs.size() > 1)
      throw Error(fmt::format(
          "unexpected argument '{}'; --each reports on several jobs; see 'debrief report --help'",
          printable(jobs[1])));
    return;
  }
  outputs.size_limit();
  if (out_dir.empty()) throw Error("--each needs --out-dir, the folder for the reports");
  if (!outputs.page.empty())
    throw Error("--each writes one page per job; use --out-dir instead of -o");
  if (!options.job_start.empty())
    throw Error("--job-start does not work with --each; report on that job alone");
  if (!options.run.empty())
    throw Error("--run does not work with --each; report on that run alone");
  for (const auto& [option, folder] :
       {NamedFile{"--json", outputs.json}, NamedFile{"--markdown", outputs.markdown}})
    if (is_stdout(folder))
      throw Error(fmt::format("{} -: with --each this must be a folder", option));
}

ExitCode run_batch(const BatchOptions& batch, const std::vector<std::string>& paths,
                   const JobOptions& options, const Outputs& outputs, const RuleOptions& rules) {
  const LoadedConfig config = rules.config(options.quiet);
  note_left_out(config, options.quiet);
  const pipeline::AnalyzeOptions analyze_options{
      options.read_options(), config.rules, {config.price}, config.energy_price};
  const std::vector<BatchJob> jobs = jobs_of(paths, analyze_options.read);
  std::vector<std::string> labels;
  for (const BatchJob& job : jobs)
    labels.push_back(job.label);
  const std::vector<std::string> names = overview::page_names(labels);
  Outputs all_outputs = outputs;
  all_outputs.custom_rules = config.gate.custom_rules;
  refuse_inputs(batch, paths, names, options, all_outputs, rules.config_path());
  make_folder("--out-dir", batch.out_dir);
  make_folder("--json", outputs.json);
  make_folder("--markdown", outputs.markdown);

  std::vector<Entry> entries(jobs.size());
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    entries[i].input = jobs[i].path;
    entries[i].page = names[i] + ".html";
  }
  std::vector<ExitCode> codes(jobs.size());
  pipeline::StageClock clock;
  {
    Progress progress{options.quiet, "making", "reports"};
    std::mutex mutex;
    std::size_t done = 0;
    const auto report = [&](std::size_t i) {
      pipeline::StageClock own;
      pipeline::AnalyzeOptions own_options = analyze_options;
      own_options.read.run = jobs[i].run;
      own_options.custom = custom_rules_for(jobs[i].path, own_options.read, config);
      codes[i] =
          report_on(entries[i], own_options, outputs_of(outputs, batch.out_dir, names[i]), own);
      const std::lock_guard lock{mutex};
      clock.absorb(own);
      progress.show(++done, jobs.size());
    };
    // What has too little memory beside others may have enough alone.
    std::vector<char> again(jobs.size());
    parallel_for(jobs.size(), [&](std::size_t i) {
      const CoreShare share;
      try {
        report(i);
      } catch (const std::bad_alloc&) {
        renew_memory_reserve();
        again[i] = 1;
      }
    });
    for (std::size_t i = 0; i < jobs.size(); ++i) {
      if (again[i] == 0) continue;
      try {
        report(i);
      } catch (const std::bad_alloc&) {
        renew_memory_reserve();
        codes[i] = ExitCode::internal;
        entries[i].error = fmt::format("{}: {}", printable(jobs[i].path), kOutOfMemory);
      }
    }
  }
  std::size_t failed = 0;
  const bool color = wants_color(options.no_color, STDERR_FILENO);
  for (const Entry& entry : entries)
    if (!entry.error.empty()) {
      print_error(entry.error, color);
      ++failed;
    }
  overview::sort_worst_first(entries);
  const std::string index = within(batch.out_dir, "index.html");
  const std::string html = render::to_html(entries);
  write_file(index, html);
  clock.end_stage("index", html.size(), entries.size());

  if (!options.quiet) fmt::print("{}\nindex: {}\n", summary(entries, failed), printable(index));
  if (options.stats) print_to_stderr(clock.table());
  // An internal error outweighs input that cannot be read.
  if (failed > 0) return *std::max_element(codes.begin(), codes.end());
  const auto lost = std::count_if(entries.begin(), entries.end(),
                                  [](const Entry& entry) { return !entry.complete; });
  if (!options.strict || lost == 0) return ExitCode::done;
  print_note(fmt::format("--strict: the input of {} is incomplete; the reports say what is missing",
                         count_of(static_cast<std::uint64_t>(lost), "job")));
  return ExitCode::incomplete;
}

} // namespace debrief::cli
