// Looks at a running job again and again, and says which triggers are due. Each is due once.
#pragma once

#include "actions/trigger.h"
#include "result/result.h"

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::actions {

/// A finding as far as triggers need it.
struct Found {
  result::FindingKind kind = result::FindingKind::unknown;
  result::Severity severity = result::Severity::info;
  std::string title;
  std::string why;
};

/// What the process that makes the report tells the one that records: one JSON document.
std::string to_look_text(const result::Result& result);
/// Nothing where the text is no such document.
std::optional<std::vector<Found>> parse_look_text(std::string_view text);

struct DueTrigger {
  std::size_t trigger = 0; ///< in the list that was given
  std::string why;         ///< what held, one or two sentences
};

class Observer {
public:
  using Clock = std::chrono::steady_clock;

  explicit Observer(std::vector<Trigger> triggers);

  const std::vector<Trigger>& triggers() const { return triggers_; }

  /// The job's findings at this moment.
  std::vector<DueTrigger> see_findings(std::span<const Found> findings, Clock::time_point now);

  /// For how long no GPU has been busy; for triggers on `idle_gpus for TIME`, which need no
  /// finding.
  std::vector<DueTrigger> see_idle_gpus(std::chrono::milliseconds idle);

  /// Whether a trigger waits for idle GPUs.
  bool awaits_idle_gpus() const;

private:
  std::vector<Trigger> triggers_;
  std::vector<std::optional<Clock::time_point>> since_; ///< by trigger: holds since
  std::vector<bool> done_;                              ///< by trigger
};

} // namespace debrief::actions
