#include "render/parts/finding_words.h"

#include "chart/spark.h"
#include "render/parts/format.h"
#include "render/parts/status_badge.h"
#include "util/number_text.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace debrief::render {

namespace {

/// Without the zeros at its end.
std::string trimmed(std::string number) {
  if (number.find('.') == std::string::npos) return number;
  number.erase(number.find_last_not_of('0') + 1);
  if (number.back() == '.') number.pop_back();
  return number;
}

const result::WastePart* part_of(const result::Waste& waste, result::FindingKind kind) {
  for (const result::WastePart& part : waste.parts)
    if (part.kind == kind) return &part;
  return nullptr;
}

std::int64_t assertions_with(const result::Gate& gate, result::AssertionStatus status) {
  return std::count_if(gate.assertions.begin(), gate.assertions.end(),
                       [status](const auto& assertion) { return assertion.status == status; });
}

} // namespace

std::string short_number(double value) {
  const double size = std::abs(value);
  if (size >= 99.95) return grouped(std::llround(value));
  if (size >= 9.995) return trimmed(fmt::format("{:.1f}", value));
  if (size >= 0.9995) return trimmed(fmt::format("{:.2f}", value));
  if (size >= 0.09995) return trimmed(fmt::format("{:.3f}", value));
  if (size >= 0.001) return trimmed(fmt::format("{:.4f}", value));
  return size > 0 ? "<0.001" : "0";
}

std::string WasteScale::number(double hours) const {
  return short_number(per_hour * hours);
}

std::string WasteScale::words(double hours) const {
  return fmt::format("{} {}", number(hours), unit);
}

WasteScale scale_of(const result::Waste& waste) {
  constexpr double kSeconds = 3600;
  const char* hours = to_text(waste.unit);
  const double seconds = kSeconds * waste.paid.value_or(1);
  if (seconds >= kSeconds) return {1, hours};
  const std::string whose = waste.unit == result::WasteUnit::gpu_hours ? "GPU-" : "node-";
  if (seconds >= 60) return {60, whose + "minutes"};
  if (seconds >= 1) return {kSeconds, whose + "seconds"};
  if (waste.unit == result::WasteUnit::node_hours) return {1000 * kSeconds, "milliseconds"};
  return {1000 * kSeconds, whose + "milliseconds"};
}

std::string waste_time(const result::Waste& waste, double hours) {
  const double seconds = 3600 * hours;
  const bool of_nodes = waste.unit == result::WasteUnit::node_hours;
  if (of_nodes && seconds < 0.95) return to_human_duration(seconds);
  return device_time_text(seconds, of_nodes ? "node" : "GPU");
}

std::string share_words(double share) {
  return percent_text(100 * share);
}

/// Scores are shares of what was measured; waste is of all that was paid.
LostShare lost_share(result::FindingKind kind, double score, const result::Waste& waste) {
  const auto counts = [&](double hours) {
    return waste.paid && hours > result::kUnmeasuredSaid * *waste.paid;
  };
  const char* const of = counts(waste.set_aside)    ? " in the loop"
                         : counts(waste.unmeasured) ? " that was measured"
                                                    : "";
  const result::WastePart* const part = part_of(waste, kind);
  if (part == nullptr) return {score, of, score * waste.paid.value_or(0)};
  if (*of != '\0' && result::is_about_model(kind)) return {part->percent / 100, "", part->hours};
  return {score, of, part->hours};
}

std::string_view where_it_went(const result::Waste& waste) {
  return waste.unit == result::WasteUnit::gpu_hours ? "Where the GPU time went"
                                                    : "Where the time went";
}

std::string money_words(double money) {
  return money_text(money);
}

std::string_view time_noun(const result::Waste& waste) {
  return waste.unit == result::WasteUnit::gpu_hours ? "GPU time" : "the job's time";
}

std::string cost_words(const result::Finding& finding, const result::Waste& waste) {
  if (finding.score <= 0) return "no time lost";
  const LostShare lost = lost_share(finding.kind, finding.score, waste);
  std::string out = fmt::format("{} of {}{}", share_words(lost.share), time_noun(waste), lost.of);
  if (const result::WastePart* part = part_of(waste, finding.kind)) {
    out += ", " + scale_of(waste).words(part->hours);
    if (part->money) out += ", " + money_words(*part->money);
  }
  return out;
}

std::string lost_words(const result::Waste& waste) {
  if (!waste.paid || *waste.paid <= 0) return "";
  const double hours = result::lost_hours(waste);
  const WasteScale scale = scale_of(waste);
  std::string out = fmt::format("{} of {} lost ({})", scale.number(hours), scale.words(*waste.paid),
                                share_words(hours / *waste.paid));
  if (waste.price)
    out += fmt::format(", {} of {}", money_words(hours * *waste.price),
                       money_words(*waste.paid * *waste.price));
  return out;
}

std::vector<std::size_t> reading_order(const result::Result& result) {
  std::vector<std::size_t> order(result.findings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto rank = [&](std::size_t at) {
    return std::pair{result.verdict.finding != at, -static_cast<int>(result.findings[at].severity)};
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
  return order;
}

std::string evidence_words(const result::Evidence& evidence) {
  const double value = evidence.value;
  if (evidence.unit == "s") return to_human_duration(value);
  if (evidence.unit == "B") return to_human_bytes(value);
  if (evidence.unit == "B/s") return to_human_bytes(value) + "/s";
  if (evidence.unit == "%") return percent_text(value);
  // Losses and gradients have any size: short_number() is for counts and rates.
  const double size = std::abs(value);
  if (evidence.unit.empty() && (size >= 1e9 || (size > 0 && size < 0.01)))
    return scalar_text(value);
  if (evidence.unit.empty()) return short_number(value);
  return short_number(value) + ' ' + printable(evidence.unit);
}

std::string place_words(const result::Place& place) {
  std::string out;
  if (!place.device.empty())
    out = place.node.empty() ? printable(place.device) : device_name(place.node, place.device);
  else if (!place.node.empty())
    out = printable(place.node);
  if (!place.process.empty())
    out += (out.empty() ? "process " : ", process ") + printable(place.process);
  if (out.empty()) out = "the whole job";
  if (place.share > 0) out += fmt::format(" ({} of its time)", share_words(place.share));
  return out;
}

std::string confidence_words(const result::Finding& finding) {
  std::string out = fmt::format("{} confidence", result::to_text(finding.confidence));
  if (!finding.ground.empty()) out += fmt::format(" ({})", printable(finding.ground));
  return out;
}

std::string gate_sentence(const result::Gate& gate) {
  const std::int64_t failed = assertions_with(gate, result::AssertionStatus::failed);
  const std::int64_t skipped = assertions_with(gate, result::AssertionStatus::skipped);
  const std::string all = plural(std::ssize(gate.assertions), "check");
  std::string out = failed == 0 ? fmt::format("None of {} failed", all)
                                : fmt::format("{} of {} failed", grouped(failed), all);
  if (skipped > 0) out += fmt::format(", {} could not be judged", grouped(skipped));
  out += '.';
  if (!gate.baseline.empty()) out += fmt::format(" Compared with {}.", truncate(gate.baseline));
  return out;
}

std::string check_margin(const result::Assertion& check) {
  if (!check.value || !check.bound || *check.value < 0 || *check.bound < 0) return "";
  const StatusBadge& badge = check.status == result::AssertionStatus::failed
                                 ? badge_of(result::Severity::critical)
                                 : badge_of(result::VerdictSummary{});
  return chart::margin_bar(
      fmt::format("{}; required: {}", printable(check.found), printable(check.expected)),
      *check.value, *check.bound, badge.color);
}

} // namespace debrief::render
