// Whether a figure changed from one job to another, or only seems to.
//
// A change counts where it is larger than a tolerance and, for durations of steps, than the noise
// of the steps themselves: Welch's t-test on the medians of consecutive blocks of steps
// (result/steps.h, block_medians), two-sided, at kSignificance. Blocks instead of single steps,
// since neighboring steps are alike (caches, clocks, a neighbor on the machine): taken singly,
// thousands of them would make any drift significant. Medians, since a checkpoint is no change of
// speed. Of few steps (20 or fewer) there are no such blocks: single steps are then compared by
// the Mann–Whitney rank test, which one slow step cannot decide.
#pragma once

#include "compare/figures.h"

#include <optional>
#include <string>

namespace debrief::compare {

inline constexpr double kSignificance = 0.01;

/// changed: more than tolerance and noise, of a figure of which neither direction is better.
enum class ChangeKind { improved, worse, no_change, incomparable, changed };

/// "improved", "worse", "no change within noise", "cannot be compared", "changed".
const char* to_text(ChangeKind word);

struct Tolerance {
  double relative = 0.05; ///< of the value before
  double absolute = 0;    ///< in the figure's unit; the larger of both holds
};

struct Change {
  Figure before;
  Figure after;
  double difference = 0;          ///< after - before
  std::optional<double> relative; ///< difference / before; absent where before is 0
  std::optional<double> p_value;  ///< that it is noise, where both have blocks
  ChangeKind word = ChangeKind::no_change;
  std::string reason; ///< why it counts or does not: "within noise (p = 0.34)", "within 5 %"
};

/// What a figure may change by where nobody says otherwise: 5 %; more for what few values stand
/// behind (10 % of a 95th percentile, 25 % of a 99th, 50 % of the most and the least), and for
/// small values a floor in the figure's unit (a point of a percentage). 10 % of the job's times.
Tolerance default_tolerance(const Figure& figure);

/// Both have the same name.
Change compare(const Figure& before, const Figure& after, const Tolerance& tolerance);

} // namespace debrief::compare
