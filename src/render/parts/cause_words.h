// Causes of lost time as a reader sees them: in words, and by the color of what they mean.
#pragma once

#include "chart/meaning.h"
#include "chart/strip.h"
#include "result/findings.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::render {

/// "Waiting on data", "Launch overhead".
std::string cause_name(result::Cause cause, const result::Waste& waste);

Meaning meaning_of(result::Cause cause, const result::Waste& waste);

/// What a finding's time is colored as.
Meaning meaning_of(result::FindingKind kind);

/// "Waiting on data", "Underused GPU": as bars call what a finding takes.
std::string kind_name(result::FindingKind kind);

/// What was set aside: before and after the training loop of a short run.
inline constexpr const char* kSetAsideName = "Startup and shutdown";

/// What time was lost to: "waiting on data", "launch overhead", "unexplained idle time".
std::string lost_to(result::FindingKind kind, const result::Waste& waste);

/// Time of one meaning: the whole is what was paid.
struct TimeShare {
  Meaning meaning = Meaning::idle;
  std::string name; ///< "Startup, shutdown"
  double hours = 0;
  double percent = 0; ///< of what was paid
  std::string words;  ///< "Startup 14%, shutdown 5.0%": each cause with the number it has elsewhere
};

/// Busy first, then what was lost, most first, then what was set aside or not measured; causes of
/// one meaning are one share. They sum to what was paid.
std::vector<TimeShare> time_shares(const result::Waste& waste);

/// The same of several jobs together, by what each was lost to in its own job.
std::vector<TimeShare> time_shares(std::span<const result::Waste> wastes);

/// Shares as parts of a bar, each with its name, share and time as a tip; and all of them in words.
struct ShareBar {
  std::string label;
  std::vector<chart::StripPart> parts;
};

ShareBar share_bar(const result::Waste& waste, std::string label);

} // namespace debrief::render
