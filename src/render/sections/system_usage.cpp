// How much of each resource every node used.
#include "render/parts/cells.h"
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/sections/sections.h"
#include "util/number_text.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace debrief::render {

namespace {

struct NodeUsage {
  std::string node;
  const result::UsageRow* gpu = nullptr;
  const result::UsageRow* cpu = nullptr;
  const result::UsageRow* io = nullptr;
};

std::vector<NodeUsage> by_node(const std::vector<result::UsageRow>& rows) {
  std::vector<NodeUsage> nodes;
  std::map<std::string, std::size_t> places;
  for (const result::UsageRow& row : rows) {
    const auto [place, is_new] = places.try_emplace(row.node, nodes.size());
    if (is_new) nodes.push_back({row.node});
    NodeUsage& node = nodes[place->second];
    if (row.metric == result::Metric::gpu) node.gpu = &row;
    if (row.metric == result::Metric::cpu) node.cpu = &row;
    if (row.metric == result::Metric::io) node.io = &row;
  }
  return nodes;
}

/// What the result says of a node. The page judges nothing: what limits a node is said if a finding
/// says so.
enum class Usage { cpu_bound, io_bound, gpus, no_gpu, unknown };

bool names_node(const result::Finding& finding, const std::string& node) {
  return finding.where.empty() ||
         std::any_of(finding.where.begin(), finding.where.end(), [&](const result::Place& place) {
           return place.node.empty() || place.node == node;
         });
}

Usage usage_of(const NodeUsage& node, const std::vector<result::Finding>& findings) {
  if (node.gpu == nullptr) return node.cpu == nullptr ? Usage::unknown : Usage::no_gpu;
  for (const result::Finding& finding : findings) {
    if (!names_node(finding, node.node)) continue;
    if (finding.kind == result::FindingKind::cpu_bound) return Usage::cpu_bound;
    if (finding.kind == result::FindingKind::io_bound) return Usage::io_bound;
  }
  return Usage::gpus;
}

using Row = const result::UsageRow* NodeUsage::*;
using Figure = double result::UsageRow::*;

/// "89.1 %" of one node, "81.0 to 89.1 %" of several; empty where none has it.
std::string figure(const std::vector<const NodeUsage*>& nodes, Row row, Figure figure) {
  std::optional<std::pair<double, double>> range;
  for (const NodeUsage* node : nodes) {
    if (node->*row == nullptr) continue;
    const double value = node->*row->*figure;
    if (!range) range = {value, value};
    range = {std::min(range->first, value), std::max(range->second, value)};
  }
  if (!range) return "";
  const std::string high = exact_percent_text(range->second);
  const std::string low = exact_percent_text(range->first);
  return high == low ? high : low + " to " + high;
}

/// "algo-1", "algo-1 and algo-2", "algo-1, algo-2 and 6 more nodes".
std::string names(const std::vector<const NodeUsage*>& nodes) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> words;
  for (const NodeUsage* node : nodes) {
    if (words.size() == kNamed - 1 && nodes.size() > kNamed) {
      words.push_back(plural(std::ssize(nodes) - std::ssize(words), "more node"));
      break;
    }
    words.push_back(truncate(node->node));
  }
  return join_and(words);
}

std::string sentence(Usage usage, const std::vector<const NodeUsage*>& nodes) {
  const auto of = [&](Row row, Figure which) { return figure(nodes, row, which); };
  const std::string who = names(nodes);
  const bool one = nodes.size() == 1;
  const std::string gpu = of(&NodeUsage::gpu, &result::UsageRow::p50);
  const std::string cpu = of(&NodeUsage::cpu, &result::UsageRow::p50);
  const std::string beside = cpu.empty() ? "" : fmt::format(" (CPU median {})", cpu);
  switch (usage) {
  case Usage::cpu_bound:
    return fmt::format("{} {} limited by CPU: median GPU utilization {}{}.", who,
                       one ? "is" : "are", gpu, beside);
  case Usage::io_bound: {
    const std::string wait = of(&NodeUsage::io, &result::UsageRow::p50);
    return fmt::format("{} {} for storage: {}median GPU utilization {}.", who,
                       one ? "waits" : "wait",
                       wait.empty() ? "" : fmt::format("I/O wait {}, ", wait), gpu);
  }
  case Usage::gpus:
    return fmt::format("GPU utilization of {}: median {}, p95 {}{}.", who, gpu,
                       of(&NodeUsage::gpu, &result::UsageRow::p95), beside);
  case Usage::no_gpu:
    return fmt::format("{} recorded no GPU. CPU utilization: median {}, p95 {}.", who, cpu,
                       of(&NodeUsage::cpu, &result::UsageRow::p95));
  case Usage::unknown:
    break;
  }
  return fmt::format("{} recorded neither GPU nor CPU.", who);
}

/// Nodes of which the same is true share a sentence.
std::vector<std::string> usage_sentences(const result::Result& result) {
  const std::vector<NodeUsage> nodes = by_node(result.system_usage);
  std::map<Usage, std::vector<const NodeUsage*>> alike;
  for (const NodeUsage& node : nodes)
    alike[usage_of(node, result.findings)].push_back(&node);
  std::vector<std::string> sentences;
  for (const auto& [usage, group] : alike)
    sentences.push_back(sentence(usage, group));
  return sentences;
}

/// One sentence per set of metrics that some nodes lack: "algo-1, algo-2 recorded no GPU, no I/O."
void note_missing(Section& section, const std::vector<result::NodeSampling>& nodes) {
  std::map<std::vector<std::string>, std::vector<std::string>> nodes_by_lack;
  for (const result::NodeSampling& node : nodes)
    if (!node.not_recorded.empty())
      nodes_by_lack[node.not_recorded].push_back(printable(node.node));
  for (const auto& [lack, names] : nodes_by_lack)
    section.note(
        fmt::format("{} recorded no {}.", fmt::join(names, ", "), fmt::join(lack, ", no ")));
}

/// The script finds the metric's samples by its key.
Cell metric_cell(result::Metric metric) {
  Cell cell(to_text(metric));
  cell.key = to_text(metric);
  return cell;
}

constexpr const char* kDistributionHead = "Min to max (p50 to p99 dark)";

/// Wide enough to be seen, where a resource was used evenly.
double visible(double width) {
  return std::max(width, 1.0);
}

Cell distribution_bar(const result::UsageRow& row) {
  return {fmt::format("min {}, median {}, p99 {}, max {}", exact_percent_text(row.min),
                      exact_percent_text(row.p50), exact_percent_text(row.p99),
                      exact_percent_text(row.max)),
          {{row.min, visible(row.max - row.min), true},
           {std::min(row.p50, 99.0), visible(row.p99 - row.p50)}}};
}

std::optional<Section> make_system_usage(const result::Result& result) {
  if (result.system_usage.empty())
    return missing("No system metrics were recorded. Run with 'debrief record', or turn on "
                   "SageMaker's system monitoring (profiler-output/system).");
  Section section;
  for (const std::string& sentence : usage_sentences(result))
    section.say(sentence);
  Table table("Percentiles by node", {{"Node", Kind::head, "node"},
                                      {"Metric", Kind::text, "metric"},
                                      {"Unit"},
                                      {"Min", Kind::number, "min"},
                                      {"p50", Kind::number, "p50"},
                                      {"p95", Kind::number, "p95"},
                                      {"p99", Kind::number, "p99"},
                                      {"Max", Kind::number, "max"},
                                      {kDistributionHead, Kind::bar}});
  // Only percentages have a scale to draw them on.
  for (const result::UsageRow& row : result.system_usage)
    table.add({printable(row.node), metric_cell(row.metric), row.unit,
               usage_cell(row.min, row.unit), usage_cell(row.p50, row.unit),
               usage_cell(row.p95, row.unit), usage_cell(row.p99, row.unit),
               usage_cell(row.max, row.unit), row.unit == "%" ? distribution_bar(row) : ""});
  section.show(table);
  note_missing(section, result.data_quality.nodes);
  return section;
}

} // namespace

const SectionSpec kSystemUsageSection = {
    .id = "system-usage",
    .heading = "System usage",
    .chapter = Chapter::data,
    .how_to_read = "The median (p50) is typical; p95 and p99 are peaks. You are paying for a GPU "
                   "median near 100%. If it is low, a high CPU or I/O-wait row shows what the GPU "
                   "was waiting for. Zoom the timeline to see the numbers of that window.",
    .how_computed =
        "CPU, GPU and I/O wait are averages over a node's cores or GPUs; network is the sum of "
        "both directions. Samples at most 20 ms apart count as one. Percentiles are exact, with "
        "linear interpolation. Missing samples are skipped, not counted as zero.",
    .make = make_system_usage,
};

} // namespace debrief::render
