// The framework's own times: phases, passes, operators and collectives as shares of their whole.
#include "render/parts/cells.h"
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/parts/share_chart.h"
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

using Shares = std::vector<result::ShareRow>;

/// What SageMaker calls the time outside steps.
constexpr std::string_view kOthers = "others";

/// "34.2 %", or "34.2 % (4.3 s)" where the time is known.
std::string share(const result::ShareRow& row) {
  std::string out = exact_percent_text(row.percent);
  if (row.seconds) out += fmt::format(" ({})", to_human_duration(*row.seconds));
  return out;
}

/// How much of the time lies between steps.
std::string phase_sentence(const Shares& rows, bool recorded_by_sagemaker) {
  std::vector<const result::ShareRow*> others;
  for (const result::ShareRow& row : rows)
    if (row.name == kOthers) others.push_back(&row);
  if (others.empty()) return "";
  const auto [least, most] =
      std::minmax_element(others.begin(), others.end(),
                          [](const auto* a, const auto* b) { return a->percent < b->percent; });
  if (recorded_by_sagemaker)
    return fmt::format(
        "SageMaker reports {} between steps. Its seconds are about half of the true ones.",
        share(**most));
  if (others.size() == 1)
    return fmt::format("{} of the training loop is between steps.", share(**most));
  return fmt::format("{} ({}) to {} ({}) of the training loop is between steps.", share(**least),
                     printable((*least)->process), share(**most), printable((*most)->process));
}

/// "Of <what>, <the greatest> takes the most: 34.2 % (4.3 s)."
std::string greatest_sentence(std::string_view what, const Shares& rows) {
  if (rows.size() < 2) return "";
  const auto most = std::max_element(
      rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.percent < b.percent; });
  return fmt::format("{1} takes most of the time in {0}: {2}.", what, truncate(label_of(*most)),
                     share(*most));
}

/// `drawn`: the drawing's caption.
void show_shares(Section& section, const char* caption, const char* drawn, const char* head,
                 const Shares& rows) {
  if (rows.empty()) return;
  std::vector<Share> shares;
  for (const result::ShareRow& row : rows)
    shares.push_back({row.process, label_of(row), row.percent,
                      row.seconds ? to_human_duration(*row.seconds) : std::string{}});
  section.draw(share_chart(drawn, shares));
  Table table(caption, {{head, Kind::head},
                        {"Process"},
                        {"Share (%)", Kind::number},
                        {"Time", Kind::number},
                        {"Calls", Kind::number},
                        {"Share", Kind::bar}});
  for (const result::ShareRow& row : rows)
    table.add({printable(label_of(row)), printable(row.process), two_decimals(row.percent),
               duration_cell(row.seconds), count_cell(row.calls), share_bar(row.percent)});
  section.show(table.drop_unknown(), kRowsShown, "rows");
}

std::optional<Section> make_framework(const result::Result& result) {
  const result::Framework& framework = result.framework;
  Section section;
  section.say(phase_sentence(framework.phase, framework.recorded_by_sagemaker));
  section.say(greatest_sentence("forward and backward passes", framework.forward_backward));
  section.say(greatest_sentence("operators", framework.ratio));
  section.say(greatest_sentence("general operations", framework.general));
  section.say(greatest_sentence("collectives", framework.collectives));
  show_shares(section, "Phases of the training loop", "Training loop by phase", "Phase",
              framework.phase);
  show_shares(section, "Forward and backward passes", "Forward and backward", "Pass",
              framework.forward_backward);
  show_shares(section,
              framework.recorded_by_sagemaker ? "CPU and GPU operators, total time"
                                              : "CPU and GPU operators, self time",
              "CPU and GPU operators", "Operators", framework.ratio);
  show_shares(section, "General framework operations", "General operations by time", "Operation",
              framework.general);
  show_shares(section, "Collectives between processes", "Collectives by time", "Collective",
              framework.collectives);
  if (section.empty())
    return missing("No framework metrics were recorded. Turn on SageMaker's framework metrics to "
                   "get a timeline in profiler-output/framework.");
  if (framework.recorded_by_sagemaker)
    section.note("These numbers are SageMaker's own (OverallFrameworkMetrics.json), with its "
                 "errors. Its \"others\" is about half of the true time between steps and can be "
                 "negative. Operators of 2% or less are missing, and the rest is scaled to 100%.");
  return section;
}

} // namespace

const SectionSpec kFrameworkSection = {
    .id = "framework",
    .heading = "Framework",
    .chapter = Chapter::training,
    .how_to_read = "Each bar is one whole and its parts. “Others” is time between steps: loading, "
                   "logging, checkpoints. Within a step, backward passes usually take about twice "
                   "as long as forward passes.",
    .how_computed = "Phases are the union of each process's steps by mode, as shares of its "
                    "training loop; “others” is the rest. Operators use self time, so each moment "
                    "counts once. General operations and collectives are sums of event durations.",
    .make = make_framework,
};

} // namespace debrief::render
