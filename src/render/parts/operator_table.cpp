#include "render/parts/operator_table.h"

#include "render/parts/cells.h"
#include "render/parts/format.h"
#include "render/parts/trace_words.h"
#include "util/number_text.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

#include <string>

namespace debrief::render {

namespace {

std::optional<double> seconds(const std::optional<std::int64_t>& microseconds) {
  if (!microseconds) return std::nullopt;
  return static_cast<double>(*microseconds) / 1e6;
}

/// The most expensive one, and how many there are.
std::string recorded_take_away(const result::OperatorTable& table, std::string_view kind,
                               const std::string& source) {
  const result::OperatorRow& first = table.rows.front();
  std::string out = fmt::format(
      "{2} takes the most time of {0}{1}: ", plural(table.count, fmt::format("{} operator", kind)),
      source, truncate(first.name));
  out += first.self_us && first.self_percent
             ? fmt::format("{} self ({} of all self time)", duration(seconds(first.self_us)),
                           exact_percent_text(*first.self_percent))
             : fmt::format("{} total ({} of all total time)", duration(seconds(first.total_us)),
                           exact_percent_text(first.percent));
  if (first.calls) out += fmt::format(", in {}", plural(*first.calls, "call"));
  return out + '.';
}

} // namespace

void add_recorded_operators(Section& section, const result::Result& result,
                            const result::OperatorTable& operators, std::string_view kind) {
  const result::Framework& framework = result.framework;
  const std::string source = source_words(result, framework.operator_source);
  section.say(recorded_take_away(operators, kind, source));
  if (const auto listed = static_cast<std::int64_t>(operators.rows.size());
      listed < operators.count)
    section.note(fmt::format("The table lists the top {}{}.", grouped(listed), source));
  section.note(operators.rows.front().self_us
                   ? "Self time leaves out nested operators, so each moment counts once. Total "
                     "time counts nested operators several times."
                   : "Total time counts nested operators several times: once for each operator "
                     "that called them.");
  if (framework.recorded_by_sagemaker)
    section.note("These numbers are SageMaker's own (OverallFrameworkMetrics.json). Operators of "
                 "2% or less are missing, and the rest is scaled to 100%.");
  Table table(fmt::format("{} operators by time{}", kind, source), {{"Operator", Kind::head},
                                                                    {"Self (%)", Kind::number},
                                                                    {"Self time", Kind::number},
                                                                    {"Total (%)", Kind::number},
                                                                    {"Total time", Kind::number},
                                                                    {"Calls", Kind::number},
                                                                    {"Share", Kind::bar}});
  for (const result::OperatorRow& row : operators.rows)
    table.add({printable(row.name), two_decimals(row.self_percent),
               duration_cell(seconds(row.self_us)), two_decimals(row.percent),
               duration_cell(seconds(row.total_us)), count_cell(row.calls),
               share_bar(row.self_percent.value_or(row.percent))});
  section.show(table.drop_unknown(), kRowsShown, "operators");
}

std::string no_operators(std::string_view kind) {
  return fmt::format("No {0} operators were recorded. Turn on SageMaker's detailed profiling for a "
                     "few steps, or record a trace with torch.profiler.",
                     kind);
}

} // namespace debrief::render
