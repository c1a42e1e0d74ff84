// How long data took to load.
#include "compare/figures/parts.h"

#include <fmt/format.h>

namespace debrief::compare {

namespace {

using nlohmann::json;

struct Work {
  const char* name;
  const char* what; ///< as documents have it
  const char* label;
};

constexpr Work kWorks[] = {{"get_next", "get next", "Wait for a batch"},
                           {"load", "load", "Loading"},
                           {"worker", "worker", "Worker"},
                           {"batch", "batch", "From batch to batch"},
                           {"initialize", "initialize", "Set-up of an iterator"}};

constexpr Statistic kLoadingStatistics[] = {
    {"p50", "median"}, {"mean", "mean"}, {"p95", "95th percentile"}, {"max", "longest"}};

std::string name_of(const Work& work, const char* figure) {
  return fmt::format("data_loading.{}.{}", work.name, figure);
}

} // namespace

void declare_loading(std::vector<Declaration>& out) {
  for (const Work& work : kWorks) {
    for (const Statistic& statistic : kLoadingStatistics)
      out.push_back({name_of(work, statistic.key),
                     fmt::format("{}, {}", work.label, statistic.words), "s", Better::lower,
                     Group::data_loading});
    out.push_back({name_of(work, "count"), fmt::format("{}, how often", work.label), "",
                   Better::neither, Group::data_loading});
  }
  out.push_back({"data_loading.num_workers", "Workers", "", Better::neither, Group::data_loading});
}

void collect_loading(const json& document, Collector& out) {
  const json& loading = at(document, "data_loading");
  for (const json* row : rows_at(loading, "times"))
    for (const Work& work : kWorks)
      if (text_at(*row, "what") == work.what) {
        for (const Statistic& statistic : kLoadingStatistics)
          out.add(name_of(work, statistic.key), number_at(*row, statistic.key));
        out.add(name_of(work, "count"), number_at(*row, "count"));
      }
  out.add("data_loading.num_workers", number_at(loading, "num_workers"));
}

} // namespace debrief::compare
