#include "render/sections/data_loading.h"

#include "render/parts/cells.h"
#include "render/parts/device_table.h"
#include "render/parts/format.h"
#include "render/parts/rule_words.h"
#include "render/parts/section.h"
#include "render/parts/trace_words.h"
#include "render/sections/data_loading_chart.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

#include <string>
#include <vector>

namespace debrief::render {

namespace {

using nlohmann::json;

std::string yes_or_no(const std::optional<bool>& value) {
  if (!value) return std::string{kUnknown};
  return *value ? "on" : "off";
}

/// How many workers load, against the cores that they can run on.
std::string workers_sentence(const result::DataLoading& loading, const result::RuleRow* rule) {
  const auto workers = loading.num_workers ? loading.num_workers : loading.loaders;
  if (!workers) return "";
  if (*workers == 0) return "Data is loaded by the training process itself: no worker is set.";
  if (!loading.cores || *loading.cores <= 0)
    return fmt::format("{} data.",
                       *workers == 1 ? "1 worker loads" : grouped(*workers) + " workers load");
  const double share = 100.0 * static_cast<double>(*workers) / static_cast<double>(*loading.cores);
  std::string out =
      fmt::format("{} data on {}, {:.1f} % of them",
                  *workers == 1 ? "1 worker loads" : grouped(*workers) + " workers load",
                  counted(*loading.cores, "core"), share);
  const auto least = parameter(rule, "min_threshold");
  const auto most = parameter(rule, "max_threshold");
  if (least && share < *least)
    out += fmt::format("; below {:g} %, so more could load at once", *least);
  else if (most && share > *most)
    out += fmt::format("; above {:g} %, so they get in each other's way", *most);
  return out + '.';
}

/// How long the training process waits for a batch; of SageMaker's figures, how long loading takes.
std::string times_sentence(const std::vector<result::LoadTimes>& times) {
  const result::LoadTimes* row = telling_times(times);
  if (row == nullptr) return "";
  return fmt::format("{} takes {} in the median and {} at the 95th percentile, over {}.",
                     row->what == "get next" ? "Waiting for the next batch" : "Loading",
                     to_human_duration(row->p50), to_human_duration(row->p95),
                     counted(row->count, "time"));
}

Table settings_table(const result::DataLoading& loading) {
  Table table("How data is loaded", {{"What", Kind::head}, {"Value", Kind::number}});
  table.add({"Workers, as set", count_cell(loading.num_workers)});
  table.add({"Processes that load at once (median)", count_cell(loading.loaders)});
  table.add({"Cores", count_cell(loading.cores)});
  table.add({"Pinned memory", yes_or_no(loading.pin_memory)});
  table.add({"Prefetch", yes_or_no(loading.prefetch)});
  table.add({"Iterators set up", count_cell(loading.initializations)});
  return table.narrow();
}

Table times_table(const result::DataLoading& loading) {
  Table table("How long loading takes", {{"What", Kind::head},
                                         {"Count", Kind::number},
                                         {"mean", Kind::number},
                                         {"max", Kind::number},
                                         {"p95", Kind::number},
                                         {"p50", Kind::number},
                                         {"p25", Kind::number},
                                         {"min", Kind::number},
                                         {"Above twice p50", Kind::number}});
  for (const result::LoadTimes& row : loading.times)
    table.add({printable(row.what), count_cell(row.count), duration_cell(row.mean),
               duration_cell(row.max), duration_cell(row.p95), duration_cell(row.p50),
               duration_cell(row.p25), duration_cell(row.min), count_cell(row.outliers)});
  return table.drop_unknown();
}

} // namespace

json loading_view(const result::Result& result) {
  const result::DataLoading& loading = result.data_loading;
  if (loading.empty())
    return missing("No data loading: no framework timeline or rule output has any. Turn "
                   "on the profiler's data-loader profiling to record them.");
  const result::RuleRow* rule = find_rule(result, "Dataloader");
  Section section;
  section.say(workers_sentence(loading, rule));
  section.say(times_sentence(loading.times));
  if (loading.pin_memory && !*loading.pin_memory && !why_no_gpu(result))
    section.say("Pinned memory is off: with it, copies to the GPU can run beside its work.");
  section.say(outcome_sentence(rule));
  if (!source_words(result, loading.source).empty())
    section.note(fmt::format("Source of these figures: {}.", loading.source));
  section.show(settings_table(loading));
  section.draw(loading_figure(loading.times));
  if (!loading.times.empty()) section.show(times_table(loading));
  return section.view();
}

} // namespace debrief::render
