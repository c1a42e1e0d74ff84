#include "compare/diff.h"
#include "result/json.h"

#include <cmath>

namespace debrief::compare {

namespace {

using nlohmann::json;

json number(double value) {
  return std::isfinite(value) ? json(result::rounded(value)) : json(nullptr);
}

json number(const std::optional<double>& value) {
  return value ? number(*value) : json(nullptr);
}

json text_or_null(const std::string& text) {
  return text.empty() ? json(nullptr) : json(text);
}

template <typename Rows, typename Convert>
json list(const Rows& rows, const Convert& convert) {
  json array = json::array();
  for (const auto& row : rows)
    array.push_back(convert(row));
  return array;
}

/// Names of words as programs know them.
const char* key_of(ChangeKind word) {
  return word == ChangeKind::no_change      ? "no_change"
         : word == ChangeKind::incomparable ? "incomparable"
                                            : to_text(word);
}

const char* key_of(Better better) {
  return better == Better::higher ? "higher" : better == Better::lower ? "lower" : "neither";
}

const char* key_of(Group group) {
  switch (group) {
  case Group::utilization:
    return "utilization";
  case Group::steps:
    return "steps";
  case Group::time:
    return "time";
  case Group::waste:
    return "waste";
  case Group::data_loading:
    return "data_loading";
  case Group::traces:
    return "traces";
  case Group::memory:
    return "memory";
  case Group::curves:
    return "curves";
  case Group::counts:
    break;
  }
  return "counts";
}

/// Null in all where there is none.
json verdict_json(const std::optional<result::VerdictSummary>& verdict) {
  if (!verdict)
    return {{"kind", nullptr}, {"severity", nullptr}, {"title", nullptr},
            {"why", nullptr},  {"next", nullptr},     {"score", nullptr}};
  return {{"kind", name_of(*verdict)},
          {"severity", to_text(verdict->severity)},
          {"title", text_or_null(verdict->title)},
          {"why", text_or_null(verdict->why)},
          {"next", text_or_null(verdict->next)},
          {"score", number(verdict->score)}};
}

json side_json(const Side& side) {
  return {{"name", side.name},
          {"input", text_or_null(side.input)},
          {"debrief_version", text_or_null(side.version)},
          {"verdict", verdict_json(side.verdict)}};
}

json finding_side(const std::optional<FindingSide>& side) {
  if (!side) return nullptr;
  return {{"severity", to_text(side->severity)},
          {"title", side->title},
          {"score", number(side->score)}};
}

json finding_json(const FindingChange& change) {
  return {{"kind", to_text(change.kind)},
          {"status", !change.before  ? "new"
                     : !change.after ? "gone"
                                     : "stayed"},
          {"before", finding_side(change.before)},
          {"after", finding_side(change.after)},
          {"word", key_of(change.word)}};
}

json figure_json(const Change& change) {
  const Declaration* declared = find_declaration(change.before.name);
  return {{"name", change.before.name},
          {"label", change.before.label},
          {"group", key_of(declared == nullptr ? Group::counts : declared->group)},
          {"unit", text_or_null(change.before.unit)},
          {"better", key_of(change.before.better)},
          {"before", number(change.before.value)},
          {"after", number(change.after.value)},
          {"difference", number(change.difference)},
          {"relative", number(change.relative)},
          {"p_value", number(change.p_value)},
          {"word", key_of(change.word)},
          {"reason", change.reason}};
}

json lone_json(const Figure& figure) {
  return {{"name", figure.name},
          {"label", figure.label},
          {"unit", text_or_null(figure.unit)},
          {"value", number(figure.value)}};
}

json work_side(const std::optional<WorkSide>& side) {
  if (!side) return nullptr;
  return {{"total_us", number(side->total_us)},
          {"self_us", number(side->self_us)},
          {"calls", number(side->calls)},
          {"percent", number(side->percent)},
          {"each_us", number(side->each_us)}};
}

json work_json(const WorkChange& change) {
  return {{"name", change.name},
          {"before", work_side(change.before)},
          {"after", work_side(change.after)},
          {"difference", number(change.difference)},
          {"relative", number(change.relative)},
          {"word", key_of(change.word)},
          {"reason", change.reason}};
}

json workload_json(const Workload& workload) {
  return {{"list", workload.id},
          {"per", workload.per_step ? "step" : "call"},
          {"cut", workload.is_cut},
          {"rows", list(workload.rows, work_json)}};
}

json rule_side(const std::optional<RuleSide>& side) {
  if (!side) return nullptr;
  return {{"status", to_text(side->status)},
          {"triggered", static_cast<double>(side->triggered)},
          {"violations", static_cast<double>(side->violations)},
          {"datapoints", static_cast<double>(side->datapoints)}};
}

json rule_json(const RuleChange& change) {
  return {{"rule", change.rule},
          {"before", rule_side(change.before)},
          {"after", rule_side(change.after)},
          {"word", key_of(change.word)},
          {"reason", change.reason}};
}

json outcome_json(const Outcome& outcome) {
  return {{"word", key_of(outcome.word)},
          {"decided_by", outcome.decided_by},
          {"largest", outcome.largest ? json(*outcome.largest) : json(nullptr)}};
}

} // namespace

namespace {

json setting_json(const SettingChange& change) {
  return {{"what", change.what}, {"before", change.before}, {"after", change.after}};
}

const char* key_of(WorkPerStep work) {
  switch (work) {
  case WorkPerStep::same:
    return "same";
  case WorkPerStep::different:
    return "different";
  case WorkPerStep::unknown:
    break;
  }
  return "unknown";
}

} // namespace

std::string to_json_text(const Diff& diff) {
  const json out = {{"schema", kDiffSchema},
                    {"before", side_json(diff.before)},
                    {"after", side_json(diff.after)},
                    {"outcome", outcome_json(diff.outcome)},
                    {"settings", list(diff.settings, setting_json)},
                    {"work_per_step", key_of(diff.work_per_step)},
                    {"findings", list(diff.findings, finding_json)},
                    {"figures", list(diff.figures, figure_json)},
                    {"only_before", list(diff.only_before, lone_json)},
                    {"only_after", list(diff.only_after, lone_json)},
                    {"work", list(diff.workloads, workload_json)},
                    {"rules", list(diff.rules, rule_json)}};
  return out.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

} // namespace debrief::compare
