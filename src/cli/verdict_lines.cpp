#include "cli/verdict_lines.h"

#include "render/parts/finding_words.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace debrief::cli {

namespace {

constexpr std::size_t kFindingsShown = 3;
constexpr std::string_view kPlain = "\x1b[0m";

const char* color_of(result::Severity severity) {
  switch (severity) {
  case result::Severity::info:
    return "\x1b[1m";
  case result::Severity::warning:
    return "\x1b[1;33m";
  case result::Severity::critical:
    break;
  }
  return "\x1b[1;31m";
}

std::string colored(std::string_view text, std::string_view code, bool color) {
  return color ? fmt::format("{}{}{}", code, text, kPlain) : std::string{text};
}

std::string verdict_part(const result::Result& result, bool color) {
  const auto summary = summary_of(result.verdict, result.findings);
  if (!summary) return "";
  const result::VerdictSummary& verdict = *summary;
  const std::string_view code = !verdict.kind ? "\x1b[1;32m" : color_of(verdict.severity);
  std::string out =
      fmt::format("{}: {}\n", colored(name_of(verdict), code, color), printable(verdict.title));
  if (!verdict.why.empty()) out += fmt::format("  {}\n", printable(verdict.why));
  if (!verdict.next.empty()) out += fmt::format("  next: {}\n", printable(verdict.next));
  return out;
}

/// "my-job: ran for 2 min 5 s, GPU p50 90 % p95 99 % on algo-1"
std::string key_line(const result::Result& result) {
  std::string line = printable(result.job.name);
  if (result.job.span)
    line += fmt::format(": ran for {}", to_human_duration(in_seconds(result.job.span->length())));
  if (const auto& status = result.job.status; status && *status != "Completed")
    line += fmt::format(", status {}", printable(*status));
  std::vector<const result::UsageRow*> gpus;
  for (const result::UsageRow& row : result.system_usage)
    if (row.metric == result::Metric::gpu) gpus.push_back(&row);
  if (gpus.empty()) return line;
  const auto [least, most] = std::minmax_element(
      gpus.begin(), gpus.end(), [](const auto* a, const auto* b) { return a->p50 < b->p50; });
  const std::string lowest = fmt::format("{:.0f}%", (*least)->p50);
  if (gpus.size() > 1 && lowest == fmt::format("{:.0f}%", (*most)->p50))
    return line + fmt::format(", GPU p50 {} on each of {}", lowest, count_of(gpus.size(), "node"));
  if (gpus.size() > 1)
    return line + fmt::format(", GPU p50 {:.0f}% ({}) to {:.0f}% ({}) on {}", (*least)->p50,
                              printable((*least)->node), (*most)->p50, printable((*most)->node),
                              count_of(gpus.size(), "node"));
  return line + fmt::format(", GPU p50 {:.0f}% p95 {:.0f}% on {}", (*most)->p50, (*most)->p95,
                            printable((*most)->node));
}

std::string findings_part(const result::Result& result, bool color) {
  std::string out;
  std::vector<std::size_t> order = render::reading_order(result);
  const std::size_t shown = std::min(order.size(), kFindingsShown);
  order.resize(shown);
  for (const std::size_t at : order) {
    const result::Finding& finding = result.findings[at];
    out += fmt::format(
        "  {} {}: {}\n",
        colored(fmt::format("{:<8}", to_text(finding.severity)), color_of(finding.severity), color),
        printable(finding.title), render::cost_words(finding, result.waste));
  }
  if (result.findings.size() > shown)
    out += fmt::format("  and {} more\n", result.findings.size() - shown);
  return out;
}

} // namespace

std::string verdict_lines(const result::Result& result, bool color) {
  std::string lost = render::lost_words(result.waste);
  if (!lost.empty()) lost = "; " + lost;
  return verdict_part(result, color) + findings_part(result, color) + key_line(result) + lost +
         '\n';
}

} // namespace debrief::cli
