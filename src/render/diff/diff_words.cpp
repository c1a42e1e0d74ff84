#include "render/diff/diff_words.h"

#include "compare/figures.h"
#include "render/parts/cells.h"
#include "render/parts/format.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

#include <cmath>
#include <vector>

namespace debrief::render {

namespace {

using compare::Change;
using compare::ChangeKind;
using compare::Diff;

/// "time per step went from 61 ms to 1.95 s"
std::string reason_text(const Diff& diff, const std::string& name) {
  if (name == "verdict")
    return fmt::format("the verdict went from {} to {}",
                       result::kind_words(diff.before.verdict_name()),
                       result::kind_words(diff.after.verdict_name()));
  const Change* change = compare::find_change(diff, name);
  return change == nullptr
             ? std::string{}
             : fmt::format("{} went from {}", lowered(label_of(change->before)), from_to(*change));
}

/// What has no unit is a count, or a scalar of any size.
bool is_count(double value) {
  return value == std::round(value);
}

} // namespace

JobNames names_of(const Diff& diff) {
  if (diff.before.name == diff.after.name || diff.before.name.empty() || diff.after.name.empty())
    return {"the job before", "The job after"};
  return {truncate(diff.before.name), truncate(diff.after.name)};
}

std::string value_text(double value, std::string_view unit) {
  if (unit == "s") return to_human_duration(value);
  if (unit == "%") return fmt::format("{:.3g}%", value);
  if (unit == "B") return to_human_bytes(value);
  if (unit == "B/s") return to_human_bytes(value) + "/s";
  if (unit.empty()) return is_count(value) ? grouped(std::llround(value)) : scalar_text(value);
  if (std::abs(value) >= 1000) return fmt::format("{} {}", grouped(std::llround(value)), unit);
  return fmt::format("{:.3g} {}", value, unit);
}

Cell value_cell(double value, std::string_view unit) {
  if (unit == "s") return duration_cell(value);
  if (unit == "%") return two_decimals(value);
  if (unit == "B" || unit == "B/s") return bytes_cell(value);
  if (unit.empty()) return is_count(value) ? count_cell(std::llround(value)) : scalar_cell(value);
  return plain_number(value);
}

Cell difference_cell(double difference, std::string_view unit) {
  if (unit != "B" && unit != "B/s") return value_cell(difference, unit);
  Cell cell = bytes_cell(std::abs(difference));
  if (difference < 0) {
    cell.text = "-" + cell.text;
    cell.raw = plain_number(difference);
  }
  return cell;
}

Cell relative_cell(const std::optional<double>& relative) {
  if (!relative) return kUnknown;
  return fmt::format("{:.1f}", 100 * *relative);
}

std::string from_to(const Change& change) {
  return fmt::format("{} to {}", value_text(change.before.value, change.before.unit),
                     value_text(change.after.value, change.after.unit));
}

std::string settings_text(const Diff& diff) {
  std::vector<std::string> parts;
  for (const compare::SettingChange& change : diff.settings)
    parts.push_back(fmt::format("{} ({} before, {} after)", change.what, truncate(change.before),
                                truncate(change.after)));
  std::string out;
  if (!parts.empty()) out = fmt::format("The settings differ: {}.", join_and(parts));
  const bool by_steps = std::any_of(
      diff.outcome.decided_by.begin(), diff.outcome.decided_by.end(), [](const std::string& name) {
        return name.starts_with("steps.") || name == "job.seconds_per_step";
      });
  if (by_steps && diff.work_per_step == compare::WorkPerStep::unknown)
    out += std::string{out.empty() ? "" : " "} +
           "At least one batch size is unknown, so a longer step may do more work.";
  return out;
}

std::string decided_text(const Diff& diff) {
  const JobNames names = names_of(diff);
  std::vector<std::string> reasons;
  for (const std::string& name : diff.outcome.decided_by)
    if (reasons.size() < 3) reasons.push_back(reason_text(diff, name));
  const std::string because = reasons.empty() ? "" : ": " + join_and(reasons);
  std::string out;
  switch (diff.outcome.word) {
  case ChangeKind::worse:
    out += fmt::format("{} is worse than {}{}.", names.after, names.before, because);
    break;
  case ChangeKind::improved:
    out += fmt::format("{} is better than {}{}.", names.after, names.before, because);
    break;
  case ChangeKind::changed:
    out += fmt::format("{} is better than {} in some metrics and worse in others{}.", names.after,
                       names.before, because);
    break;
  case ChangeKind::no_change:
    out += fmt::format("No change within noise: {} performs like {}.", names.after, names.before);
    break;
  case ChangeKind::incomparable:
    out += fmt::format(
        "{} and {} cannot be compared: they have no metric of steps, GPUs or waste in common.",
        names.after, names.before);
  }
  const Change* largest =
      diff.outcome.largest ? compare::find_change(diff, *diff.outcome.largest) : nullptr;
  if (largest != nullptr)
    out +=
        fmt::format(" The largest change is {}: from {} ({}).", lowered(label_of(largest->before)),
                    from_to(*largest), to_text(largest->word));
  return out;
}

std::string outcome_text(const Diff& diff) {
  const std::string settings = settings_text(diff);
  return (settings.empty() ? "" : settings + ' ') + decided_text(diff);
}

std::string finding_status(const compare::FindingChange& change) {
  if (!change.before) return "new";
  if (!change.after) return "gone";
  return fmt::format("stayed, {}", to_text(change.word));
}

std::string label_of(const compare::Figure& figure) {
  const std::string_view place = compare::place_of(figure.name);
  return place.empty() ? figure.label : fmt::format("{}, {}", figure.label, place);
}

} // namespace debrief::render
