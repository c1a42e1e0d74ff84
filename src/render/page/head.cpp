#include "render/page/head.h"

#include "render/parts/finding_words.h"
#include "render/parts/format.h"
#include "render/parts/quality_words.h"
#include "render/parts/rule_words.h"
#include "render/parts/status_badge.h"
#include "util/text.h"
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
void add_usage(Keys& keys, const result::Result& result, const char* name, result::Metric metric) {
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
  const std::string of = fmt::format("medians of {}", plural(std::ssize(rows), "node"));
  if (percent((*least)->p50) == percent((*most)->p50))
    return keys.add(name, percent((*most)->p50), of);
  keys.add(name, fmt::format("{:.0f}–{}", (*least)->p50, percent((*most)->p50)), of);
}

/// Steps of the first mode (training, where there is any), over all processes.
void add_steps(Keys& keys, const std::vector<result::StepRow>& steps) {
  if (steps.empty()) return;
  const auto train = std::find_if(steps.begin(), steps.end(),
                                  [](const auto& row) { return row.mode == result::kTrainMode; });
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
  keys.add("Median step", median, fmt::format("{} steps, {}", grouped(count), truncate(mode)));
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
  keys.add("Rules", found == 0 ? "no issue" : plural(found, "issue"),
           skipped == 0 ? fmt::format("{} evaluated", all)
                        : fmt::format("{} evaluated, {} not", all - skipped, skipped));
}

std::string outside_loop(const result::JobSummary& job) {
  if (!job.training_loop_start || !job.training_loop_end || job.span->length() <= 0) return "";
  const double loop = in_seconds(*job.training_loop_end - *job.training_loop_start);
  return fmt::format("{:.1f}\u00A0% outside the training loop",
                     100 - 100 * loop / in_seconds(job.span->length()));
}

std::string text_or_unknown(const std::optional<std::string>& text) {
  return text ? printable(*text) : std::string{kUnknown};
}

std::string hardware(const result::JobSummary& job) {
  std::int64_t cores = 0;
  std::int64_t gpus = 0;
  bool cores_known = !job.nodes.empty();
  bool gpus_known = !job.nodes.empty();
  for (const result::Node& node : job.nodes) {
    cores += node.cores.value_or(0);
    gpus += node.gpus.value_or(0);
    cores_known = cores_known && node.cores.has_value();
    gpus_known = gpus_known && node.gpus.has_value();
  }
  std::string out = count_of(job.nodes.size(), "node");
  if (cores_known) out += ", " + count_of(static_cast<std::size_t>(cores), "core");
  if (gpus_known) out += ", " + count_of(static_cast<std::size_t>(gpus), "GPU");
  return out;
}

json facts_view(const result::JobSummary& job) {
  json facts = json::array();
  const auto fact = [&](const char* name, const std::string& value) {
    if (value != kUnknown) facts.push_back({{"name", name}, {"value", value}});
  };
  fact("Hardware", job.nodes.empty() ? std::string{kUnknown} : hardware(job));
  fact("Instance", text_or_unknown(job.instance_type));
  fact("Framework", text_or_unknown(job.framework));
  fact("Status", text_or_unknown(job.status));
  return facts;
}

} // namespace

json keys_view(const result::Result& result) {
  Keys keys;
  if (result.job.span)
    keys.add("Duration", to_human_duration(in_seconds(result.job.span->length())),
             outside_loop(result.job));
  add_usage(keys, result, "GPU", result::Metric::gpu);
  add_usage(keys, result, "GPU memory", result::Metric::gpu_memory);
  add_usage(keys, result, "CPU", result::Metric::cpu);
  add_steps(keys, result.steps);
  add_rules(keys, result.rules);
  return keys.take();
}

json verdict_view(const result::Result& result) {
  const auto summary = summary_of(result.verdict, result.findings);
  if (!summary) return nullptr;
  const result::VerdictSummary& verdict = *summary;
  const StatusBadge& badge = badge_of(verdict);
  std::string more = capitalized(fmt::format("{} confidence", to_text(verdict.confidence)));
  if (const std::string lost = lost_words(result.waste); !lost.empty()) more = lost + ". " + more;
  return {{"word", badge.word},
          {"class", badge.css},
          {"path", badge.path},
          {"fill", badge.color.light},
          {"title", keep_units_together(printable(verdict.title))},
          {"why", keep_units_together(printable(verdict.why))},
          {"next", keep_units_together(printable(verdict.next))},
          {"more", keep_units_together(more) + '.'}};
}

json nav_view(const std::vector<MadeSection>& sections) {
  json groups = json::array();
  for (const MadeSection& section : sections) {
    const char* group = to_text(section.spec->group);
    if (groups.empty() || groups.back()["name"] != group)
      groups.push_back({{"name", group}, {"links", json::array()}});
    const bool found = section.content.has_issue();
    const bool without = !section.content.has_data();
    groups.back()["links"].push_back({{"id", section.spec->id},
                                      {"text", section.spec->nav_label},
                                      {"class", found     ? "found"
                                                : without ? "without"
                                                          : "plain"},
                                      {"words", found     ? " (issue found)"
                                                : without ? " (no data)"
                                                          : ""}});
  }
  return groups;
}

json head_view(const result::Result& result, const std::vector<MadeSection>& sections) {
  const std::string notice = quality_notice(result.data_quality);
  return {{"title", printable(result.job.name)},
          {"version", result.provenance.version},
          {"verdict", verdict_view(result)},
          {"facts", facts_view(result.job)},
          {"keys", keys_view(result)},
          {"notice", notice.empty() ? json(nullptr) : json(notice)}, // an empty text would count
          {"nav", nav_view(sections)}};
}

} // namespace debrief::render
