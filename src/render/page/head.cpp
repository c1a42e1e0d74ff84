#include "render/page/head.h"

#include "render/parts/format.h"
#include "render/parts/rule_words.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

namespace debrief::render {

namespace {

using nlohmann::json;

class Keys {
public:
  void add(const char* name, const std::string& value, const std::string& more) {
    rows_.push_back(
        {{"name", name}, {"value", value}, {"more", more.empty() ? json(nullptr) : json(more)}});
  }

  json take() { return std::move(rows_); }

private:
  json rows_ = json::array();
};

std::string percent(double value) {
  return fmt::format("{:.0f}\u00A0%", value);
}

/// Of one node its median; of several the range of their medians.
void add_usage(Keys& keys, const result::Result& result, const char* name,
               std::string_view metric) {
  std::vector<const result::UsageRow*> rows;
  for (const result::UsageRow& row : result.system_usage)
    if (row.metric == metric) rows.push_back(&row);
  if (rows.empty()) return;
  const auto [least, most] = std::minmax_element(
      rows.begin(), rows.end(), [](const auto* a, const auto* b) { return a->p50 < b->p50; });
  if (rows.size() == 1)
    return keys.add(
        name, percent((*most)->p50),
        fmt::format("median; p95 {}, max {}", percent((*most)->p95), percent((*most)->max)));
  const std::string of = fmt::format("medians of {}", counted(std::ssize(rows), "node"));
  if (percent((*least)->p50) == percent((*most)->p50))
    return keys.add(name, percent((*most)->p50), of);
  keys.add(name, fmt::format("{:.0f}–{}", (*least)->p50, percent((*most)->p50)), of);
}

/// Steps of the first mode (training, where there is any), over all processes.
void add_steps(Keys& keys, const std::vector<result::StepRow>& steps) {
  if (steps.empty()) return;
  const auto train =
      std::find_if(steps.begin(), steps.end(), [](const auto& row) { return row.mode == "TRAIN"; });
  const result::StepRow& first = train == steps.end() ? steps.front() : *train;
  const std::string& mode = first.mode;
  std::int64_t count = 0;
  double slowest = 0;
  double fastest = first.p50;
  for (const result::StepRow& row : steps) {
    if (row.mode != mode) continue;
    count += row.count;
    slowest = std::max(slowest, row.p50);
    fastest = std::min(fastest, row.p50);
  }
  // Processes that wait for each other take the same time but for noise.
  const bool alike = slowest <= 1.02 * fastest;
  const std::string median =
      alike ? to_human_duration(slowest)
            : fmt::format("{} to {}", to_human_duration(fastest), to_human_duration(slowest));
  keys.add("Median step", median, fmt::format("{} steps, {}", grouped(count), brief(mode)));
}

void add_rules(Keys& keys, const std::vector<result::RuleRow>& rules) {
  std::int64_t all = 0;
  std::int64_t found = 0;
  std::int64_t skipped = 0;
  for (const result::RuleRow& rule : rules) {
    if (!can_trigger(rule)) continue;
    ++all;
    if (rule.status == result::RuleStatus::issue_found) ++found;
    if (rule.status == result::RuleStatus::not_evaluated) ++skipped;
  }
  if (all == skipped) return;
  keys.add("Rules", found == 0 ? "no issue" : counted(found, "issue"),
           skipped == 0 ? fmt::format("{} evaluated", all)
                        : fmt::format("{} evaluated, {} not", all - skipped, skipped));
}

std::string outside_loop(const result::JobSummary& job) {
  if (!job.training_loop_start || !job.training_loop_end || job.span->length() <= 0) return "";
  const double loop = in_seconds(*job.training_loop_end - *job.training_loop_start);
  return fmt::format("{:.1f}\u00A0% outside the training loop",
                     100 - 100 * loop / in_seconds(job.span->length()));
}

/// A section of the page and the rule whose outcome belongs to it.
struct Link {
  const char* id;
  const char* text;
  const char* part; ///< its key in the view; null: always there
  const char* rule; ///< null: none
};

struct HeadGroup {
  const char* name;
  std::vector<Link> links;
};

const std::array<HeadGroup, 5>& groups() {
  static const std::array<HeadGroup, 5> all = {{
      {"Overview",
       {{"gate", "Gate", "gate", nullptr},
        {"findings", "Findings", nullptr, nullptr},
        {"timeline", "Timeline", "timeline", nullptr},
        {"job", "Job", nullptr, nullptr},
        {"system-usage", "System usage", "usage", nullptr}}},
      {"Framework",
       {{"framework", "Metrics", "framework", nullptr},
        {"cpu-operators", "CPU operators", "cpu_operators", nullptr},
        {"gpu-operators", "GPU operators", "gpu_operators", nullptr}}},
      {"PyTorch traces",
       {{"step-breakdown", "Step breakdown", "step_breakdown", nullptr},
        {"one-step", "One step", "one_step", nullptr},
        {"gpu-activity", "GPU activity", "gpu_activity", nullptr},
        {"communication", "Communication", "communication", nullptr},
        {"allocator", "Allocator memory", "allocator", nullptr},
        {"annotations", "Annotations and modules", "annotations", nullptr}}},
      {"Analysis",
       {{"rules", "Rules", nullptr, nullptr},
        {"steps", "Steps", "steps", "StepOutlier"},
        {"gpu-utilization", "GPU utilization", "gpu_utilization", "LowGPUUtilization"},
        {"workload-balancing", "Workload balancing", "balance", "LoadBalancing"},
        {"data-loading", "Data loading", "loading", "Dataloader"},
        {"batch-size", "Batch size", "batch", "BatchSize"},
        {"cpu-bottlenecks", "CPU bottlenecks", "cpu_bottlenecks", "CPUBottleneck"},
        {"io-bottlenecks", "I/O bottlenecks", "io_bottlenecks", "IOBottleneck"},
        {"gpu-memory", "GPU memory", "gpu_memory", "GPUMemoryIncrease"}}},
      {"Data",
       {{"data-quality", "Data quality", nullptr, nullptr},
        {"provenance", "Provenance", nullptr, nullptr}}},
  }};
  return all;
}

/// A section that is not on the page at all, and its link neither.
bool is_left_out(const json& sections, const char* part) {
  if (part == nullptr) return false;
  const auto found = sections.find(part);
  return found != sections.end() && found->is_null();
}

/// A section that has but a note on what is missing.
bool is_without(const json& sections, const char* part) {
  if (part == nullptr) return false;
  const auto found = sections.find(part);
  return found == sections.end() || ((*found)["take_away"].is_null() && (*found)["blocks"].empty());
}

/// Whether a link leads to something that a reader must not miss.
bool is_found(const Link& link, const result::Result& result) {
  if (link.id == std::string_view{"gate"}) return result.gate && !result.gate->passed;
  if (link.id == std::string_view{"findings"})
    return std::any_of(result.findings.begin(), result.findings.end(), [](const auto& finding) {
      return finding.severity != result::Severity::info;
    });
  const result::RuleRow* rule = link.rule == nullptr ? nullptr : find_rule(result, link.rule);
  return rule != nullptr && rule->status == result::RuleStatus::issue_found;
}

} // namespace

std::string_view section_name(const json& sections, std::string_view id) {
  for (const HeadGroup& group : groups())
    for (const Link& link : group.links)
      if (link.id == id && !is_left_out(sections, link.part) && !is_without(sections, link.part))
        return link.text;
  return {};
}

json keys_view(const result::Result& result) {
  Keys keys;
  if (result.job.span)
    keys.add("Duration", to_human_duration(in_seconds(result.job.span->length())),
             outside_loop(result.job));
  add_usage(keys, result, "GPU", "GPU");
  add_usage(keys, result, "GPU memory", "GPU memory");
  add_usage(keys, result, "CPU", "CPU");
  add_steps(keys, result.steps);
  add_rules(keys, result.rules);
  return keys.take();
}

json nav_view(const result::Result& result, const json& sections) {
  json out = json::array();
  for (const HeadGroup& group : groups()) {
    json links = json::array();
    for (const Link& link : group.links) {
      if (is_left_out(sections, link.part)) continue;
      const bool found = is_found(link, result);
      const bool without = is_without(sections, link.part);
      links.push_back({{"id", link.id},
                       {"text", link.text},
                       {"class", found     ? "found"
                                 : without ? "without"
                                           : "plain"},
                       {"words", found     ? " (issue found)"
                                 : without ? " (no data)"
                                           : ""}});
    }
    out.push_back({{"name", group.name}, {"links", std::move(links)}});
  }
  return out;
}

} // namespace debrief::render
