#include "pipeline/analyze.h"

#include "aggregate/curves.h"
#include "aggregate/data_loading.h"
#include "aggregate/data_quality.h"
#include "aggregate/framework.h"
#include "aggregate/job_summary.h"
#include "aggregate/python_stacks.h"
#include "aggregate/sm_activity.h"
#include "aggregate/timeline.h"
#include "aggregate/trace/figures.h"
#include "aggregate/trace/index.h"
#include "aggregate/usage.h"
#include "aggregate/xgboost/report.h"
#include "findings/explained_rules.h"
#include "rules/profiler_report.h"
#include "sagemaker_figures/figures.h"
#include "util/error.h"
#include "util/parallel.h"
#include "util/text.h"
#include "util/version.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <iterator>

namespace debrief::pipeline {

namespace {

/// What the job itself sets. A mistake there must not cost its report: it is noted and has no
/// effect.
rules::RuleSettings settings_of_job(const job::JobDescription& description, bool job_sets_rules,
                                    std::vector<result::IgnoredParameter>& ignored) {
  rules::RuleSettings settings;
  for (const auto& [name, value] : description.rule_parameters) {
    if (!job_sets_rules) {
      ignored.push_back({name, value,
                         "a check does not use thresholds of the job's own description; set them "
                         "with --param or in the config file"});
      continue;
    }
    try {
      settings.set(name, value, "the job's description");
    } catch (const Error& error) {
      ignored.push_back({name, value, error.what()});
    }
  }
  return settings;
}

/// What was set for a rule whose outcome is SageMaker's own has no effect.
void note_unused(const std::string& rule, result::Provenance& provenance) {
  for (auto set = provenance.parameters.begin(); set != provenance.parameters.end();) {
    if (!set->first.starts_with(rule + "_")) {
      ++set;
      continue;
    }
    provenance.ignored_parameters.push_back(
        {set->first, set->second,
         "the job has SageMaker's result for this rule, but no data to evaluate it again"});
    set = provenance.parameters.erase(set);
  }
}

/// Cores of the node that loads; of the largest where that is not known.
std::optional<std::int64_t> cores_of_loader(const result::JobSummary& job,
                                            const std::string& node) {
  std::optional<std::int64_t> largest;
  for (const result::Node& known : job.nodes) {
    if (known.name == node && known.cores) return known.cores;
    if (known.cores) largest = std::max(largest.value_or(0), *known.cores);
  }
  return largest;
}

/// Tensors of the job that SimilarAcrossRuns compares with. Only people say where it is: a job's
/// own description must not make debrief read another folder.
std::optional<job::TensorTable> other_tensors(const AnalyzeOptions& options) {
  const rules::Rule& rule = *rules::find_rule("SimilarAcrossRuns");
  const std::string folder = options.rules.values_for(rule).text("other_trials");
  if (folder == "None") return std::nullopt;
  job::Job other = ingest::read_job(folder, options.read);
  if (other.tensors.empty())
    throw Error(fmt::format("SimilarAcrossRuns_other_trials: {} has no saved tensors; give a job's "
                            "folder with debug-output",
                            printable(folder)));
  return std::move(other.tensors);
}

std::vector<result::StepRow> step_rows(std::span<const aggregate::StepSeries> steps,
                                       double outlier_factor) {
  return parallel_map(steps, [&](const aggregate::StepSeries& series) {
    return aggregate::step_row(series, outlier_factor);
  });
}

/// Each of these fills its own part of the result, so they can run side by side.
void aggregate(const job::Job& job, std::span<const aggregate::StepSeries> steps,
               const aggregate::EventKinds& kinds, std::span<const aggregate::NodeSeries> series,
               std::span<const aggregate::TraceIndex> traces, double outlier_factor,
               bool job_was_chosen, job::Troubles& lost, result::Result& result) {
  const bool sampled = !job.metrics.empty();
  const bool timelines = aggregate::has_timelines(job.events);
  const std::array<std::function<void()>, 10> parts = {
      [&] {
        if (!timelines) result.framework = sagemaker_figures::recorded_framework(job);
        if (!result.framework.recorded_by_sagemaker)
          result.framework = aggregate::framework_metrics(job.events, kinds, steps);
      },
      [&] {
        result.system_usage =
            sampled ? aggregate::system_usage(series) : sagemaker_figures::recorded_usage(job);
      },
      [&] {
        result.devices = sampled ? aggregate::device_usage(job, series)
                                 : sagemaker_figures::recorded_devices(job);
        result.sm_activity = aggregate::sm_activity(job, result.job);
        result.load_balance = aggregate::load_balance(result.devices);
      },
      [&] { result.data_quality = aggregate::data_quality(job, result.job.span, job_was_chosen); },
      [&] { result.timeline = aggregate::timeline(job, result.job, steps, series); },
      [&] { result.traces = aggregate::trace_figures(traces); },
      [&] { result.curves = aggregate::curves(job, result.job); },
      [&] { result.xgboost = aggregate::xgboost_report(job, lost); },
      [&] {
        result.python_stacks = aggregate::python_stacks(job.python_stacks, job.events, result.job);
      },
      [&] {
        result.time_accounting = aggregate::time_accounting(result.job, steps);
        // SageMaker's figures are of the whole job, those of traces of a few steps.
        if (!timelines) result.steps = sagemaker_figures::recorded_steps(job);
        if (result.steps.empty()) result.steps = step_rows(steps, outlier_factor);
        if (!timelines) result.data_loading = sagemaker_figures::recorded_data_loading(job);
        if (result.data_loading.empty())
          result.data_loading = aggregate::data_loading(
              job.events, kinds,
              cores_of_loader(result.job, aggregate::loading_node(job.events, kinds)));
      },
  };
  parallel_for(parts.size(), [&](std::size_t i) { parts[i](); });
  aggregate::fill_from_traces(result.traces, !timelines, result.framework);
}

/// Tensors that could not be read, beyond those that are known.
void note_lost(const job::Troubles& lost, const job::Troubles& known,
               result::DataQuality& quality) {
  for (const auto& [reason, trouble] : lost) {
    const auto before = known.find(reason);
    const std::uint64_t more = trouble.count - (before == known.end() ? 0 : before->second.count);
    if (more == 0) continue;
    quality.skipped.push_back({reason, more, trouble.first_seen});
    quality.complete = false;
  }
}

/// They may be about findings, and come after them.
void add_custom_rules(const custom_rules::CustomRules& custom, const rules::RuleInput& input,
                      result::Result& result) {
  std::vector<result::RuleRow> rows = custom_rules::run_custom_rules(custom, input);
  findings::explain_rules(rows, result.findings);
  std::move(rows.begin(), rows.end(), std::back_inserter(result.rules));
  rules::sort_rows(result.rules);
}

} // namespace

job::Job ingest(const std::string& path, const ingest::ReadOptions& options, StageClock& clock) {
  job::Job job = ingest::read_job(path, options);
  std::uint64_t bytes = 0;
  std::uint64_t rows = 0;
  for (const auto& [name, counts] : job.reading.sources) {
    bytes += counts.decoded_bytes;
    rows += counts.samples + counts.events;
  }
  clock.end_stage("ingest", bytes, rows);
  return job;
}

result::Result analyze(const job::Job& job, const AnalyzeOptions& options, StageClock& clock) {
  result::Result result;
  result::Provenance& provenance = result.provenance;
  rules::RuleSettings settings =
      settings_of_job(job.description, options.job_sets_rules, provenance.ignored_parameters);
  settings.override_with(options.rules);
  provenance.version = kVersion;
  provenance.input = job.input_name;
  provenance.parameters = settings.changed();
  if (options.read.job_start)
    provenance.parameters["job-start"] = to_iso8601(*options.read.job_start);
  if (options.read.most_unpacked != ingest::kMaxUnpacked)
    provenance.parameters["max-unpack"] = std::to_string(options.read.most_unpacked);
  if (options.read.run) provenance.parameters["run"] = *options.read.run;
  if (options.read.follow_links) provenance.parameters["follow-links"] = "true";

  result.job = aggregate::job_summary(job);
  if (options.energy_price && result.job.gpu_energy_kwh)
    result.job.gpu_energy_cost = *options.energy_price * *result.job.gpu_energy_kwh;
  const aggregate::EventKinds kinds{job.events};
  const std::vector<aggregate::TraceIndex> traces = aggregate::index_traces(job.traces);
  std::vector<aggregate::StepSeries> steps;
  std::vector<aggregate::NodeSeries> series;
  parallel_for(2, [&](std::size_t which) {
    if (which == 0)
      steps = aggregate::step_series(job.events, kinds, traces);
    else
      series = aggregate::node_series(job);
  });
  const double factor = settings.values_for(*rules::find_rule("StepOutlier")).number("stddev");
  job::Troubles lost_in_report;
  aggregate(job, steps, kinds, series, traces, factor, options.read.job_start.has_value(),
            lost_in_report, result);
  clock.end_stage("aggregate", 0, job.events.size());

  const std::optional<job::TensorTable> other = other_tensors(options);
  std::optional<findings::ModelTrouble> model_trouble =
      findings::find_model_trouble(job.scalars, job.repeated_scalars);
  job::Troubles lost;
  result::Model model;
  const rules::RuleInput input{job,    kinds,
                               steps,  series,
                               result, other ? &*other : nullptr,
                               &lost,  model_trouble && model_trouble->wastes_steps(),
                               &model};
  std::vector<findings::ProcessTime> processes; // of which rules know nothing
  parallel_for(2, [&](std::size_t which) {
    if (which == 0)
      result.rules = rules::run_rules(input, settings);
    else
      processes = findings::process_times(job.events, kinds, steps);
  });
  result.model = std::move(model);
  lost.merge(lost_in_report); // what rules met as well is counted once
  note_lost(lost, {}, result.data_quality);
  for (const result::RuleRow& rule : result.rules)
    if (rule.recorded_by_sagemaker) note_unused(rule.rule, provenance);
  if (result.load_balance.pairs.size() > result::kMaxPairs)
    result.load_balance.pairs.resize(result::kMaxPairs);
  clock.end_stage("rules", 0, result.rules.size());

  findings::diagnose({job, processes, steps, series, std::move(model_trouble)}, options.diagnose,
                     result);
  clock.end_stage("findings", 0, result.findings.size());

  const job::Troubles known = lost;
  add_custom_rules(options.custom, input, result);
  note_lost(lost, known, result.data_quality);
  result.timeline.nodes = aggregate::to_timeline(std::move(series));
  if (!options.custom.rules.empty())
    clock.end_stage("custom rules", 0, options.custom.rules.size());
  return result;
}

} // namespace debrief::pipeline
