#include "ingest/choose_sources.h"

#include "job/all_cores.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace debrief::ingest {

namespace {

/// The node of a job of which no file names one.
constexpr const char* kOnlyNode = "node-1";

template <typename Visit>
void each_part(std::vector<std::vector<SeriesPart>>& files, const Visit& visit) {
  for (std::vector<SeriesPart>& parts : files)
    for (SeriesPart& part : parts)
      visit(part);
}

/// Where one source knows one machine, and another has one, too, they are the same: SageMaker calls
/// it algo-1, W&B by its host's name, MLflow and nvidia-smi not at all.
void name_nodes(std::vector<std::vector<SeriesPart>>& files, job::ReadingReport& report) {
  std::map<MetricSource, std::set<std::string>> nodes;
  each_part(files, [&](const SeriesPart& part) { nodes[part.source].insert(part.node); });
  const auto known = std::find_if(nodes.begin(), nodes.end(),
                                  [](const auto& source) { return !source.second.contains(""); });
  const bool one = known != nodes.end() && known->second.size() == 1;
  const std::string name = known == nodes.end() ? kOnlyNode : *known->second.begin();
  std::set<MetricSource> homeless;
  each_part(files, [&](SeriesPart& part) {
    if (known != nodes.end() && part.source == known->first) return;
    if ((one || known == nodes.end()) && nodes[part.source].size() == 1) {
      part.node = name;
    } else if (part.node.empty()) {
      homeless.insert(part.source);
      part.columns = {};
    }
  });
  for (const MetricSource source : homeless)
    report.ignored.push_back(
        {std::string{to_string(source)}, "does not say which of the job's machines it is about"});
}

/// What a series is about, whatever its device.
using Quantity = std::tuple<job::Metric, std::string, std::string>;

Quantity quantity_of(const job::MetricName& name) {
  const job::Metric metric = job::classify(name);
  if (metric != job::Metric::other) return {metric, "", ""};
  const bool of_device = name.type == "gpu" || name.type == "cpu";
  return {metric, name.type, of_device ? name.dimension : name.name + "/" + name.dimension};
}

/// "GPUUtilization", "MemoryUsedPercent".
std::string words_of(const job::MetricName& name) {
  return name.type == "gpu" || name.type == "cpu" ? name.dimension : name.name;
}

void keep_first_sources(std::vector<std::vector<SeriesPart>>& files, job::ReadingReport& report) {
  std::map<Quantity, MetricSource> first;
  each_part(files, [&](const SeriesPart& part) {
    if (part.columns.times.empty()) return;
    const auto [known, added] = first.try_emplace(quantity_of(part.name), part.source);
    if (!added) known->second = std::min(known->second, part.source);
  });
  std::map<std::pair<MetricSource, MetricSource>, std::set<std::string>> dropped;
  each_part(files, [&](SeriesPart& part) {
    if (part.columns.times.empty()) return;
    const MetricSource used = first.at(quantity_of(part.name));
    if (used == part.source) return;
    dropped[{part.source, used}].insert(words_of(part.name));
    part.columns = {};
  });
  for (const auto& [sources, names] : dropped)
    report.ignored.push_back(
        {fmt::format("{}: {}", to_string(sources.first), fmt::join(names, ", ")),
         fmt::format("sampled by {}, too, which is used", to_string(sources.second))});
}

void drop_means(std::vector<std::vector<SeriesPart>>& files) {
  std::set<std::string> with_cores;
  each_part(files, [&](const SeriesPart& part) {
    if (job::is_core(part.name) && !part.columns.times.empty()) with_cores.insert(part.node);
  });
  each_part(files, [&](SeriesPart& part) {
    if (part.name.name == job::kAllCores && with_cores.contains(part.node)) part.columns = {};
  });
}

} // namespace

std::string_view to_string(MetricSource source) {
  switch (source) {
  case MetricSource::recorder:
    return "system metrics";
  case MetricSource::wandb:
    return "W&B";
  case MetricSource::mlflow:
    return "MLflow";
  case MetricSource::nvidia_smi:
    return "nvidia-smi";
  case MetricSource::nvidia_smi_dmon:
    return "nvidia-smi dmon";
  }
  return "";
}

void choose_sources(std::vector<std::vector<SeriesPart>>& files, job::ReadingReport& report) {
  const bool tracked = std::any_of(files.begin(), files.end(), [](const auto& parts) {
    return source_of(parts) != MetricSource::recorder;
  });
  if (!tracked) return; // as of most jobs
  name_nodes(files, report);
  keep_first_sources(files, report);
  drop_means(files);
}

} // namespace debrief::ingest
