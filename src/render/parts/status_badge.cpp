#include "render/parts/status_badge.h"

namespace debrief::render {

namespace {

constexpr chart::Color kAmber{"c-warn", "#8a6100"};
constexpr chart::Color kGreen{"c-good", "#00694f"};

constexpr StatusBadge kCritical{
    "Critical", "critical", "M5 1h6l4 4v6l-4 4H5l-4-4V5zM7 4v5h2V4zM7 10.5v2h2v-2z", chart::kAlarm};
constexpr StatusBadge kWarning{"Warning", "warning", "M8 1l7.5 14H.5zM7 6v4.5h2V6zM7 11.5v2h2v-2z",
                               kAmber};
constexpr StatusBadge kNote{
    "Note", "info", "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zM7 7v5h2V7zM7 4v2h2V4z", chart::kQuiet};
constexpr StatusBadge kHealthy{"Healthy", "healthy",
                               "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zM4 8.2l3 3.1L12 6l-1.4-1.4L7 "
                               "8.4 5.4 6.8z",
                               kGreen};
constexpr StatusBadge kUnsure{"Not enough data", "info",
                              "M8 1a7 7 0 1 0 0 14A7 7 0 0 0 8 1zM4.5 7v2h7V7z", chart::kQuiet};

} // namespace

const StatusBadge& badge_of(result::Severity severity) {
  switch (severity) {
  case result::Severity::info:
    return kNote;
  case result::Severity::warning:
    return kWarning;
  case result::Severity::critical:
    break;
  }
  return kCritical;
}

const StatusBadge& badge_of(const result::VerdictSummary& verdict) {
  if (!verdict.kind) return kHealthy;
  if (verdict.kind == result::FindingKind::insufficient_data) return kUnsure;
  return badge_of(verdict.severity);
}

const StatusBadge& gate_badge(const result::Gate& gate) {
  static constexpr StatusBadge kPassed{"Passed", kHealthy.css, kHealthy.path, kHealthy.color};
  static constexpr StatusBadge kFailed{"Failed", kCritical.css, kCritical.path, kCritical.color};
  return gate.passed ? kPassed : kFailed;
}

} // namespace debrief::render
