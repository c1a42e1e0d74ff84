// Who loads data, and how long training waits for it.
#include "render/parts/cells.h"
#include "render/parts/devices.h"
#include "render/parts/format.h"
#include "render/parts/histogram_chart.h"
#include "render/parts/rule_words.h"
#include "render/parts/section.h"
#include "render/parts/trace_words.h"
#include "render/sections/sections.h"
#include "util/number_text.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace debrief::render {

namespace {

/// Medians further apart than this are not drawn on one scale, nor are much coarser bins.
constexpr double kComparable = 5;

double bin_width(const result::Histogram& histogram) {
  if (histogram.empty()) return 0;
  return (histogram.edges.back() - histogram.edges.front()) /
         static_cast<double>(histogram.counts.size());
}

const result::LoadTimes* telling_times(const std::vector<result::LoadTimes>& times) {
  const auto next = std::find_if(times.begin(), times.end(), [](const auto& row) {
    return row.what == result::LoadKind::get_next;
  });
  if (next != times.end()) return &*next;
  return times.empty() ? nullptr : &times.front();
}

std::optional<Chart> loading_chart(const std::vector<result::LoadTimes>& times) {
  const result::LoadTimes* told = telling_times(times);
  if (told == nullptr) return std::nullopt;
  std::vector<HistogramPart> parts = {{to_text(told->what), &told->histogram, std::nullopt}};
  for (const result::LoadTimes& row : times) {
    const double width = bin_width(row.histogram);
    const bool comparable = row.p50 <= told->p50 * kComparable &&
                            told->p50 <= row.p50 * kComparable &&
                            width <= bin_width(told->histogram) * kComparable;
    if (&row != told && comparable && parts.size() < chart::kSeries)
      parts.push_back({to_text(row.what), &row.histogram, std::nullopt});
  }
  return histogram_chart({"Load times", chart::HistogramUnit::seconds, "time"}, parts);
}

std::string yes_or_no(const std::optional<bool>& value) {
  if (!value) return std::string{kUnknown};
  return *value ? "on" : "off";
}

/// How many workers load, against the cores that they can run on.
std::string workers_sentence(const result::DataLoading& loading, const result::RuleRow* rule) {
  const auto workers = loading.num_workers ? loading.num_workers : loading.loaders;
  if (!workers) return "";
  if (*workers == 0) return "The training process loads data itself: num_workers is 0.";
  if (!loading.cores || *loading.cores <= 0)
    return fmt::format("{} data.",
                       *workers == 1 ? "1 worker loads" : grouped(*workers) + " workers load");
  const double share = 100.0 * static_cast<double>(*workers) / static_cast<double>(*loading.cores);
  std::string out =
      fmt::format("{} data on {} ({} of them)",
                  *workers == 1 ? "1 worker loads" : grouped(*workers) + " workers load",
                  plural(*loading.cores, "core"), exact_percent_text(share));
  const auto least = parameter(rule, "min_threshold");
  const auto most = parameter(rule, "max_threshold");
  if (least && share < *least)
    out += fmt::format(". Below {:g}%, so more workers would fit", *least);
  else if (most && share > *most)
    out += fmt::format(". Above {:g}%, so workers compete for cores", *most);
  return out + '.';
}

/// How long the training process waits for a batch; of SageMaker's figures, how long loading takes.
std::string times_sentence(const std::vector<result::LoadTimes>& times) {
  const result::LoadTimes* row = telling_times(times);
  if (row == nullptr) return "";
  return fmt::format(
      "{} takes {} (median), p95 {}, over {}.",
      row->what == result::LoadKind::get_next ? "Waiting for the next batch" : "Loading",
      to_human_duration(row->p50), to_human_duration(row->p95), plural(row->count, "time"));
}

Table settings_table(const result::DataLoading& loading) {
  Table table("Data loader settings", {{"What", Kind::head}, {"Value", Kind::number}});
  table.add({"Workers (num_workers)", count_cell(loading.num_workers)});
  if (loading.batch_size) table.add({"Batch size", count_cell(loading.batch_size)});
  table.add({"Workers loading at once (median)", count_cell(loading.loaders)});
  table.add({"Cores", count_cell(loading.cores)});
  table.add({"Pinned memory", yes_or_no(loading.pin_memory)});
  table.add({"Prefetch", yes_or_no(loading.prefetch)});
  table.add({"Iterators created", count_cell(loading.initializations)});
  return table.narrow();
}

Table times_table(const result::DataLoading& loading) {
  Table table("Loading time", {{"What", Kind::head},
                               {"Count", Kind::number},
                               {"Min", Kind::number},
                               {"p25", Kind::number},
                               {"p50", Kind::number},
                               {"Mean", Kind::number},
                               {"p95", Kind::number},
                               {"Max", Kind::number},
                               {"Above 2 × p50", Kind::number}});
  for (const result::LoadTimes& row : loading.times)
    table.add({to_text(row.what), count_cell(row.count), duration_cell(row.min),
               duration_cell(row.p25), duration_cell(row.p50), duration_cell(row.mean),
               duration_cell(row.p95), duration_cell(row.max), count_cell(row.outliers)});
  return table.drop_unknown();
}

std::optional<Section> make_data_loading(const result::Result& result) {
  const result::DataLoading& loading = result.data_loading;
  if (loading.empty())
    return missing("No data-loading events were recorded. Run with 'debrief record', or turn on "
                   "SageMaker's data-loader profiling.");
  const result::RuleRow* rule = find_rule(result, "Dataloader");
  Section section;
  section.say(workers_sentence(loading, rule));
  section.say(times_sentence(loading.times));
  if (loading.pin_memory && !*loading.pin_memory && !why_no_gpu(result))
    section.say("pin_memory is off; turn it on so copies overlap with compute.");
  section.say(outcome_sentence(rule));
  if (!source_words(result, loading.source).empty())
    section.note(fmt::format("Source: {}.", loading.source));
  section.show(settings_table(loading));
  section.draw(loading_chart(loading.times));
  if (!loading.times.empty()) section.show(times_table(loading));
  return section;
}

} // namespace

const SectionSpec kDataLoadingSection = {
    .id = "data-loading",
    .heading = "Data loading",
    .chapter = Chapter::data_loading,
    .rule = "Dataloader",
    .how_to_read = "If waiting for the next batch takes a large part of a step, loading is too "
                   "slow. More workers, pinned memory or prefetching help while cores are free. "
                   "Outliers are mostly cold storage or a worker starting up.",
    .how_computed = "Times come from the data loader's events. Workers are what the loader was "
                    "created with; cores are those of its node. Durations cover all events of a "
                    "kind. Outliers are longer than twice the median.",
    .make = make_data_loading,
};

} // namespace debrief::render
