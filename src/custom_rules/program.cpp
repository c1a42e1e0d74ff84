#include "custom_rules/program.h"

#include "gate/quantity.h"
#include "rules/details.h"
#include "rules/model/firings.h"
#include "util/child_process.h"
#include "util/error.h"
#include "util/number_text.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <set>

namespace debrief::custom_rules {

namespace {

constexpr std::size_t kMaxComplaint = 200; // bytes

/// The last line that the program complained with, which says most: ": KeyError: 'value'".
std::string last_complaint(std::string_view text) {
  const std::size_t end = text.find_last_not_of(" \t\r\n");
  if (end == text.npos) return "";
  text = text.substr(0, end + 1);
  const std::size_t begin = text.find_last_of("\r\n");
  return ": " + cut_off(printable(text.substr(begin == text.npos ? 0 : begin + 1)), kMaxComplaint);
}

/// "the program ended with exit code 1: …"; empty where it ended well.
std::string trouble_of(const ChildOutcome& outcome, const Program& program) {
  switch (outcome.end) {
  case ChildOutcome::End::not_started:
    return fmt::format("the program {} could not be started: {}",
                       cut_off(printable(program.words.front()), kMaxComplaint),
                       std::strerror(outcome.code));
  case ChildOutcome::End::too_long:
    return fmt::format("the program took longer than {} and was stopped",
                       to_human_duration(static_cast<double>(program.limit.count()) / 1000));
  case ChildOutcome::End::too_much:
    return fmt::format("the program wrote more than {} and was stopped",
                       to_human_bytes(static_cast<double>(kMaxProgramOutput)));
  case ChildOutcome::End::killed:
    return fmt::format("the program was ended by signal {} ({}){}", outcome.code,
                       ::strsignal(outcome.code), last_complaint(outcome.complaints));
  case ChildOutcome::End::exited:
    break;
  }
  if (outcome.code == 0) return "";
  return fmt::format("the program ended with exit code {}{}", outcome.code,
                     last_complaint(outcome.complaints));
}

/// "slow step 12.5", "12.5", "slow step".
std::string incident_words(const OutputRow& row) {
  if (!row.value) return row.what;
  const std::string value = short_number_text(*row.value);
  return row.what.empty() ? value : fmt::format("{} {}", row.what, value);
}

void refuse_outside(const OutputRow& row, std::size_t number, const result::Result& result) {
  const auto& span = result.job.span;
  if (!span || row.span->first < span->first || row.span->last > span->last)
    throw Error(fmt::format("wrote rows[{}] with a time at which the job did not run", number));
}

/// Where it triggered at steps.
result::RuleRow row_of_steps(const ProgramOutput& output) {
  constexpr double kAbsent = std::numeric_limits<double>::quiet_NaN();
  std::vector<const OutputRow*> rows;
  for (const OutputRow& row : output.rows)
    if (row.step) rows.push_back(&row);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const OutputRow* a, const OutputRow* b) { return *a->step < *b->step; });
  rules::model::Firings firings;
  std::set<std::tuple<std::int64_t, std::string, std::string>> known; // a step counts once
  for (const OutputRow* row : rows) {
    const std::string name = row->name.empty() ? "the job" : row->name;
    const std::string what = row->what.empty() ? "value" : row->what;
    if (!known.emplace(*row->step, name, what).second) continue;
    firings.looked();
    firings.add(name, *row->step,
                {what.c_str(), row->threshold ? "compared with" : "reported",
                 row->value.value_or(kAbsent), row->threshold.value_or(kAbsent)});
  }
  return std::move(firings).row();
}

/// "reported 3 steps and 2 intervals".
std::string counted_words(const result::RuleRow& row) {
  std::vector<std::string> parts;
  if (row.model.step_count > 0)
    parts.push_back(count_of(static_cast<std::size_t>(row.model.step_count), "step"));
  if (row.incident_count > 0)
    parts.push_back(count_of(static_cast<std::size_t>(row.incident_count), "interval"));
  return parts.empty() ? "the program says so"
                       : fmt::format("the program reports {}", fmt::join(parts, " and "));
}

} // namespace

result::RuleRow row_of_output(const ProgramOutput& output, const CustomRule& rule,
                              const result::Result& result) {
  result::RuleRow row = row_of_steps(output);
  rules::IncidentList incidents;
  for (std::size_t i = 0; i < output.rows.size(); ++i) {
    const OutputRow& given = output.rows[i];
    if (!given.span) continue;
    refuse_outside(given, i, result);
    incidents.add(given.node, given.device, *given.span, incident_words(given));
    ++row.triggered;
    ++row.violations;
    ++row.datapoints;
  }
  std::move(incidents).move_to(row);
  const bool found = output.triggered.value_or(false);
  row.status = !output.triggered ? result::RuleStatus::not_evaluated
               : found           ? result::RuleStatus::issue_found
                                 : result::RuleStatus::no_issue;
  if (found && output.rows.empty()) row.triggered = row.violations = row.datapoints = 1;
  row.datapoints = std::max(row.datapoints, output.samples.value_or(0));
  row.reason = output.reason;
  if (row.reason.empty() && found) row.reason = counted_words(row);
  if (row.reason.empty() && !output.triggered)
    row.reason = "the program could not judge the job, and does not say why";
  row.description = output.description.value_or(rule.description);
  row.recommendation = output.recommendation.value_or(rule.recommendation);
  row.severity = output.severity.value_or(rule.severity);
  return row;
}

result::RuleRow run_program(const CustomRule& rule, const std::string& tables,
                            const result::Result& result) {
  const Program& program = *rule.program();
  std::vector<std::string> words = program.words;
  words.push_back(tables);
  ChildLimits limits;
  limits.time = program.limit;
  limits.output = kMaxProgramOutput;
  const ChildOutcome outcome = run_child(words, program.folder, limits);
  if (const std::string trouble = trouble_of(outcome, program); !trouble.empty())
    return rules::not_evaluated(trouble);
  try {
    return row_of_output(parse_program_output(outcome.output), rule, result);
  } catch (const Error& error) {
    return rules::not_evaluated(fmt::format("the program {}", error.what()));
  }
}

} // namespace debrief::custom_rules
