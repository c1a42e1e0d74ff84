#include "render/documents/markdown.h"

#include "render/documents/markdown_text.h"
#include "render/page/summary.h"
#include "render/parts/finding_words.h"
#include "render/parts/format.h"
#include "render/parts/status_badge.h"
#include "render/parts/waste.h"
#include "util/number_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace debrief::render {

namespace {

// Together with what is around them they keep to kMarkdownLines.
constexpr std::size_t kMarkdownMaxFindings = 5;
constexpr std::size_t kMaxWasteRows = 8;
constexpr std::size_t kMaxAssertions = 12;

/// "Next: …" as a sentence after others; empty where there is nothing to do.
std::string next_words(std::string_view next) {
  return next.empty() ? "" : fmt::format(" **Next:** {}", markdown_text(next));
}

std::string verdict_part(const result::Result& result) {
  const auto summary = summary_of(result.verdict, result.findings);
  if (!summary) return "";
  const result::VerdictSummary& verdict = *summary;
  std::string out = fmt::format("**{}: {}.** {}\n", badge_of(verdict).word,
                                markdown_text(verdict.title), markdown_text(verdict.why));
  if (!verdict.next.empty()) out += fmt::format("\n**Next:** {}\n", markdown_text(verdict.next));
  std::string more = fmt::format("{} confidence", to_text(verdict.confidence));
  if (const std::string lost = lost_words(result.waste); !lost.empty()) more = lost + "; " + more;
  return out + fmt::format("\n{}.\n", capitalized(markdown_text(more)));
}

std::string findings_part(const result::Result& result) {
  if (result.findings.empty()) return "";
  std::string out = "\n### Findings\n\n";
  std::vector<std::size_t> order = reading_order(result);
  order.resize(std::min(order.size(), kMarkdownMaxFindings));
  for (const std::size_t at : order) {
    const result::Finding& finding = result.findings[at];
    out +=
        fmt::format("- **{}: {}** ({}). ", badge_of(finding.severity).word,
                    markdown_text(finding.title), markdown_text(cost_words(finding, result.waste)));
    // The verdict has said it of the one that it is about.
    if (at == result.verdict.finding)
      out += capitalized(markdown_text(confidence_words(finding))) + '.';
    else
      out += markdown_text(finding.why) + next_words(finding.next);
    out += '\n';
  }
  if (const std::size_t all = result.findings.size(); all > kMarkdownMaxFindings)
    out += fmt::format("- and {} more in the report\n", all - kMarkdownMaxFindings);
  return out;
}

std::string waste_part(const result::Waste& waste) {
  if (!waste.paid || *waste.paid <= 0) return "";
  const WasteScale scale = scale_of(waste);
  std::string out =
      fmt::format("\n| {} | {} | share |{}\n|---|---:|---:|{}\n", time_noun(waste), scale.unit,
                  waste.price ? " USD |" : "", waste.price ? "---:|" : "");
  const auto add = [&](std::string_view name, double hours) {
    out += fmt::format("| {} | {} | {} |", markdown_text(name), scale.number(hours),
                       exact_percent_text(100 * hours / *waste.paid));
    if (waste.price) out += fmt::format(" {} |", two_decimals(hours * *waste.price));
    out += '\n';
  };
  const std::vector<WasteRow> rows = waste_rows({&waste, 1});
  const std::size_t shown = rows.size() > kMaxWasteRows ? kMaxWasteRows - 1 : rows.size();
  double rest = 0;
  for (std::size_t at = 0; at < rows.size(); ++at)
    if (at < shown)
      add(rows[at].name, rows[at].hours);
    else
      rest += rows[at].hours;
  if (shown < rows.size()) add(fmt::format("{} more", rows.size() - shown), rest);
  add("Total", *waste.paid);
  return out;
}

std::string keys_part(const result::Result& result) {
  const nlohmann::json tiles = tiles_view(result);
  if (tiles.empty()) return "";
  std::string out = "\n| metric | value | |\n|---|---|---|\n";
  for (const nlohmann::json& tile : tiles)
    out += fmt::format("| {} | {} | {} |\n", markdown_text(tile["name"].get<std::string>()),
                       markdown_text(tile["value"].get<std::string>()),
                       markdown_text(tile["more"].get<std::string>()));
  return out;
}

std::string gate_part(const std::optional<result::Gate>& gate) {
  if (!gate) return "";
  std::string out = fmt::format("\n### Gate\n\n**{}.** {}\n", gate_badge(*gate).word,
                                markdown_text(gate_sentence(*gate)));
  if (gate->assertions.empty()) return out;
  out += "\n| status | check | required | found |\n|---|---|---|---|\n";
  for (std::size_t at = 0; at < std::min(gate->assertions.size(), kMaxAssertions); ++at) {
    const result::Assertion& assertion = gate->assertions[at];
    out += fmt::format("| {} | {} | {} | {} |\n", to_text(assertion.status),
                       markdown_text(assertion.name), markdown_text(assertion.expected),
                       markdown_text(assertion.found));
  }
  if (const std::size_t all = gate->assertions.size(); all > kMaxAssertions)
    out += fmt::format("\nand {} more in the report\n", all - kMaxAssertions);
  return out;
}

} // namespace

std::string to_markdown(const result::Result& result) {
  return fmt::format("## Report of {}\n\n", markdown_text(result.job.name)) + verdict_part(result) +
         gate_part(result.gate) + findings_part(result) + waste_part(result.waste) +
         keys_part(result);
}

} // namespace debrief::render
