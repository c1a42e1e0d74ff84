#include "aggregate/work.h"
#include "job/metrics.h"
#include "sagemaker_figures/details.h"
#include "sagemaker_figures/figures.h"
#include "util/text.h"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace debrief::sagemaker_figures {

namespace {

using nlohmann::json;

std::optional<std::int64_t> step_number(const json& text) {
  if (!text.is_string()) return std::nullopt;
  const auto& digits = text.get_ref<const std::string&>();
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  if (error != std::errc{} || end != digits.data() + digits.size()) return std::nullopt;
  return number;
}

/// "algo-1-27" of "algo-1-27 (EVAL)": debrief's own files tell a process's further modes so.
std::string process_of(const std::string& key, const std::string& mode) {
  const std::string suffix = " (" + mode + ")";
  return key.ends_with(suffix) ? key.substr(0, key.size() - suffix.size()) : key;
}

std::optional<result::StepRow> read_row(const std::string& key, const json& entry) {
  const json* stats = object_in(entry, "step_stats");
  if (stats == nullptr) return std::nullopt;
  result::StepRow row;
  for (const auto& [name, into] : {std::pair{"mean", &row.mean},
                                   {"max", &row.max},
                                   {"p99", &row.p99},
                                   {"p95", &row.p95},
                                   {"p50", &row.p50},
                                   {"min", &row.min}}) {
    const auto value = number_in(*stats, name);
    if (!value) return std::nullopt;
    *into = *value;
  }
  row.mode = aggregate::mode_of(text_in(entry, "phase").value_or(""));
  row.process = process_of(key, row.mode);
  row.source = result::kFromRuleOutputs;
  row.stddev = number_in(entry, "stddev");
  row.outliers = count_in(entry, "number_of_outliers");
  row.histogram = histogram_in(entry);
  row.count = std::accumulate(row.histogram.counts.begin(), row.histogram.counts.end(),
                              row.outliers.value_or(0));
  if (const auto numbers = entry.find("step_numbers");
      numbers != entry.end() && numbers->is_array())
    for (const json& number : *numbers)
      if (row.outlying.size() < result::kMaxOutliers)
        row.outlying.push_back({step_number(number), std::nullopt, std::nullopt});
  return row;
}

} // namespace

std::vector<result::StepRow> recorded_steps(const job::Job& job) {
  std::vector<result::StepRow> rows;
  const job::RuleOutput* output = find_recorded(job, "StepOutlier");
  const json* entries = output == nullptr ? nullptr : object_in(output->details(), "step_details");
  if (entries == nullptr) return rows;
  for (const auto& [key, entry] : entries->items())
    if (auto row = read_row(key, entry)) rows.push_back(std::move(*row));
  // The bins leave out a first step that is longer than the threshold; with one row, the rule's own
  // count has it.
  if (rows.size() == 1) rows.front().count = std::max(rows.front().count, output->datapoints);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const result::StepRow& a, const result::StepRow& b) {
                     return natural_less(a.process, b.process);
                   });
  return rows;
}

void recorded_times(const job::Job& job, result::JobSummary& summary) {
  const job::RuleOutput* output = find_recorded(job, "MaxInitializationTime");
  if (output == nullptr) return;
  const auto time_in = [&](const json& object, const char* key,
                           double per_second) -> std::optional<Microseconds> {
    const auto number = number_in(object, key);
    const auto time = number ? from_seconds(*number / per_second) : std::nullopt;
    return time && is_plausible(*time) ? time : std::nullopt;
  };
  const auto start = time_in(output->details(), "job_start", 1);
  const auto end = time_in(output->details(), "job_end", 1);
  if (!summary.span && start && end && *start <= *end) summary.span = TimeSpan{*start, *end};
  const json* steps = object_in(output->details(), "step_num");
  if (steps == nullptr || !summary.span) return;
  // The start of the last step stands beside the first; when that step ended is not recorded.
  const auto first = time_in(*steps, "first", 1e6);
  if (!summary.training_loop_start && first && summary.span->contains(*first))
    summary.training_loop_start = first;
}

} // namespace debrief::sagemaker_figures
