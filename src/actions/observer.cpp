#include "actions/observer.h"

#include "util/time.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <utility>

namespace debrief::actions {

namespace {

using nlohmann::json;

bool holds(const Condition& condition, const Found& found) {
  if (condition.kind) return found.kind == *condition.kind;
  // That there is too little data yet is nothing to act on.
  return condition.least && found.severity >= *condition.least &&
         found.kind != result::FindingKind::insufficient_data;
}

/// "10 min", not "10 min 0 s": as it was asked for.
std::string held_text(std::chrono::milliseconds held) {
  constexpr std::string_view kNoSeconds = " 0 s";
  std::string text = to_human_duration(static_cast<double>(held.count()) / 1000);
  if (text.ends_with(kNoSeconds)) text.resize(text.size() - kNoSeconds.size());
  return text;
}

std::string why_of(const Condition& condition, const Found& found) {
  std::string why = found.title + ". " + found.why;
  if (condition.held.count() > 0) why += fmt::format(" This lasted {}.", held_text(condition.held));
  return why;
}

template <typename Enum, typename All>
std::optional<Enum> enum_of(const json& value, const All& all) {
  if (!value.is_string()) return std::nullopt;
  for (const Enum one : all)
    if (value.get_ref<const std::string&>() == result::to_text(one)) return one;
  return std::nullopt;
}

} // namespace

std::string to_look_text(const result::Result& result) {
  json findings = json::array();
  for (const result::Finding& finding : result.findings)
    findings.push_back({{"kind", result::to_text(finding.kind)},
                        {"severity", result::to_text(finding.severity)},
                        {"title", finding.title},
                        {"why", finding.why}});
  return json{{"findings", std::move(findings)}}.dump(-1, ' ', false,
                                                      json::error_handler_t::replace);
}

std::optional<std::vector<Found>> parse_look_text(std::string_view text) {
  const json document = json::parse(text, nullptr, false);
  if (!document.is_object() || !document.contains("findings") || !document["findings"].is_array())
    return std::nullopt;
  constexpr std::array kSeverities{result::Severity::info, result::Severity::warning,
                                   result::Severity::critical};
  std::vector<Found> out;
  for (const json& one : document["findings"]) {
    if (!one.is_object()) return std::nullopt;
    const auto kind =
        enum_of<result::FindingKind>(one.value("kind", json{}), result::kFindingKinds);
    const auto severity = enum_of<result::Severity>(one.value("severity", json{}), kSeverities);
    const json title = one.value("title", json{});
    const json why = one.value("why", json{});
    if (!kind || !severity || !title.is_string() || !why.is_string()) return std::nullopt;
    out.push_back({*kind, *severity, title.get<std::string>(), why.get<std::string>()});
  }
  return out;
}

Observer::Observer(std::vector<Trigger> triggers)
    : triggers_(std::move(triggers))
    , since_(triggers_.size())
    , done_(triggers_.size()) {}

std::vector<DueTrigger> Observer::see_findings(std::span<const Found> findings,
                                               Clock::time_point now) {
  std::vector<DueTrigger> due;
  for (std::size_t at = 0; at < triggers_.size(); ++at) {
    const Condition& condition = triggers_[at].condition;
    const auto found = std::find_if(findings.begin(), findings.end(),
                                    [&](const Found& one) { return holds(condition, one); });
    if (found == findings.end()) {
      since_[at].reset();
      continue;
    }
    if (!since_[at]) since_[at] = now;
    if (done_[at] || now - *since_[at] < condition.held) continue;
    done_[at] = true;
    due.push_back({at, why_of(condition, *found)});
  }
  return due;
}

std::vector<DueTrigger> Observer::see_idle_gpus(std::chrono::milliseconds idle) {
  std::vector<DueTrigger> due;
  for (std::size_t at = 0; at < triggers_.size(); ++at) {
    const Condition& condition = triggers_[at].condition;
    if (condition.kind != result::FindingKind::idle_gpus || condition.held.count() == 0 ||
        done_[at] || idle < condition.held)
      continue;
    done_[at] = true;
    due.push_back({at, fmt::format("No GPU has been busy for {}.", held_text(condition.held))});
  }
  return due;
}

bool Observer::awaits_idle_gpus() const {
  return std::any_of(triggers_.begin(), triggers_.end(), [](const Trigger& trigger) {
    return trigger.condition.kind == result::FindingKind::idle_gpus &&
           trigger.condition.held.count() > 0;
  });
}

} // namespace debrief::actions
