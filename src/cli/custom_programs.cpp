// Custom rules whose programs get a job's tables: which may run, and how the tables are written.
#include "cli/command.h"
#include "cli/tables.h"
#include "util/child_process.h"
#include "util/text.h"

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <vector>

namespace debrief::cli {

namespace {

namespace fs = std::filesystem;

/// debrief-tables says what is wrong as this program does.
std::string complaint_of(const ChildOutcome& outcome) {
  if (outcome.end == ChildOutcome::End::not_started) return std::strerror(outcome.code);
  if (outcome.end == ChildOutcome::End::too_long) return "it took too long";
  std::string_view text = outcome.complaints;
  text = text.substr(0, text.find_last_not_of('\n') + 1);
  text = text.substr(text.rfind('\n') + 1);
  constexpr std::string_view kName = "debrief: ";
  if (text.starts_with(kName)) text.remove_prefix(kName.size());
  return text.empty() ? fmt::format("it ended with {}", outcome.code) : printable(text);
}

/// Reads the job once more, in another program: this one has no Arrow.
void write_tables(const std::string& job, const ingest::ReadOptions& read,
                  const std::string& folder) {
  constexpr std::chrono::minutes kMostTime{30};
  std::vector<std::string> words{
      tables_program(),       "export",  fs::absolute(job).string(),
      "--to=" + folder + "/", "--quiet", fmt::format("--max-unpack={}", read.most_unpacked)};
  if (read.follow_links) words.emplace_back("--follow-links");
  if (read.run) words.push_back("--run=" + *read.run);
  if (read.job_start) words.push_back("--job-start=" + to_iso8601(*read.job_start));
  ChildLimits limits;
  limits.time = kMostTime;
  const ChildOutcome outcome = run_child(words, "", limits);
  if (outcome.end != ChildOutcome::End::exited || outcome.code != 0)
    throw Error(complaint_of(outcome));
}

} // namespace

custom_rules::CustomRules custom_rules_for(const std::string& job, const ingest::ReadOptions& read,
                                           const LoadedConfig& config) {
  custom_rules::CustomRules custom{config.custom_rules, {}};
  custom.write_tables = [job, read](const std::string& folder) { write_tables(job, read, folder); };
  custom.refusal = [permission = config.permission](const custom_rules::CustomRule& rule) {
    return permission.refusal_of(rule.program()->words);
  };
  return custom;
}

} // namespace debrief::cli
