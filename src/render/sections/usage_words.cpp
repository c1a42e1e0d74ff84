#include "render/sections/usage_words.h"

#include "render/parts/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace debrief::render {

namespace {

// In percent. SageMaker's LowGPUUtilization asks for a p95 of 70, its CPUBottleneck for a busy core
// at 90 and an idle GPU at 10, its IOBottleneck for an I/O wait of 50; a whole node's mean over its
// cores is limited below that already.
constexpr double kWellUsed = 70;
constexpr double kHardlyUsed = 10;
constexpr double kBusyCpu = 80;
constexpr double kLongWait = 20;

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
    if (row.metric == "GPU") node.gpu = &row;
    if (row.metric == "CPU") node.cpu = &row;
    if (row.metric == "I/O") node.io = &row;
  }
  return nodes;
}

/// What is true of a node.
enum class Verdict {
  well_used,
  cpu_limited,
  waits_for_storage,
  hardly_used,
  underused,
  no_gpu,
  unknown
};

Verdict judge(const NodeUsage& node) {
  if (node.gpu == nullptr) return node.cpu == nullptr ? Verdict::unknown : Verdict::no_gpu;
  if (node.gpu->p50 >= kWellUsed) return Verdict::well_used;
  if (node.io != nullptr && node.io->p50 >= kLongWait) return Verdict::waits_for_storage;
  if (node.cpu != nullptr && node.cpu->p50 >= kBusyCpu) return Verdict::cpu_limited;
  return node.gpu->p95 < kHardlyUsed ? Verdict::hardly_used : Verdict::underused;
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
  const std::string high = fmt::format("{:.1f} %", range->second);
  const std::string low = fmt::format("{:.1f}", range->first);
  return high.starts_with(low + ' ') ? high : low + " to " + high;
}

/// "algo-1", "algo-1 and algo-2", "algo-1, algo-2 and 6 more nodes".
std::string names(const std::vector<const NodeUsage*>& nodes) {
  constexpr std::size_t kNamed = 3;
  std::vector<std::string> words;
  for (const NodeUsage* node : nodes) {
    if (words.size() == kNamed - 1 && nodes.size() > kNamed) {
      words.push_back(counted(std::ssize(nodes) - std::ssize(words), "more node"));
      break;
    }
    words.push_back(brief(node->node));
  }
  return listed(words);
}

std::string sentence(Verdict kind, const std::vector<const NodeUsage*>& nodes) {
  const auto of = [&](Row row, Figure which) { return figure(nodes, row, which); };
  const std::string who = names(nodes);
  const bool one = nodes.size() == 1;
  const std::string gpu = of(&NodeUsage::gpu, &result::UsageRow::p50);
  const std::string cpu = of(&NodeUsage::cpu, &result::UsageRow::p50);
  const std::string beside = cpu.empty() ? "" : fmt::format(" while CPUs are at {}", cpu);
  switch (kind) {
  case Verdict::well_used:
    return fmt::format("{} {} well used: GPUs at {} in the median.", who, one ? "is" : "are", gpu);
  case Verdict::cpu_limited:
    return fmt::format("{} {} limited by CPU: GPUs at {} in the median{}.", who, one ? "is" : "are",
                       gpu, beside);
  case Verdict::waits_for_storage:
    return fmt::format("{} {} for storage: I/O wait {}, GPUs at {} in the median.", who,
                       one ? "waits" : "wait", of(&NodeUsage::io, &result::UsageRow::p50), gpu);
  case Verdict::hardly_used:
    return fmt::format("{} hardly {} GPUs: {} in the median, {} at the 95th percentile{}.", who,
                       one ? "uses its" : "use their", gpu,
                       of(&NodeUsage::gpu, &result::UsageRow::p95), beside);
  case Verdict::underused:
    return fmt::format("{} {} underused: GPUs at {} in the median, {} at the 95th percentile{}.",
                       who, one ? "is" : "are", gpu, of(&NodeUsage::gpu, &result::UsageRow::p95),
                       beside);
  case Verdict::no_gpu:
    return fmt::format("{} recorded no GPU; CPUs at {} in the median, {} at the 95th percentile.",
                       who, cpu, of(&NodeUsage::cpu, &result::UsageRow::p95));
  case Verdict::unknown:
    break;
  }
  return fmt::format("Of {} neither GPU nor CPU was recorded.", who);
}

} // namespace

std::vector<std::string> usage_sentences(const std::vector<result::UsageRow>& rows) {
  const std::vector<NodeUsage> nodes = by_node(rows);
  std::map<Verdict, std::vector<const NodeUsage*>> alike;
  for (const NodeUsage& node : nodes)
    alike[judge(node)].push_back(&node);
  std::vector<std::string> sentences;
  for (const auto& [kind, group] : alike)
    sentences.push_back(sentence(kind, group));
  return sentences;
}

} // namespace debrief::render
