// Bars: shares of a common whole, pairs of shares, factors of change, and parts of a whole.
#pragma once

#include "chart/meaning.h"
#include "chart/svg.h"

#include <optional>
#include <string>
#include <vector>

namespace debrief::chart {

/// One share of a common whole for each of several things, as a bar each, the value in words behind
/// it.
struct ValueBar {
  std::string name;
  double percent = 0;
  std::string words;    ///< behind the bar: "40.1%, 12 calls"
  std::size_t kind = 0; ///< its key in the legend
  Color color = color_of(Meaning::compute);
};

struct ValueBars {
  std::string label;
  std::vector<ValueBar> rows;
};

/// The scale ends where the longest bar does, so that small shares can be compared.
std::string draw(const ValueBars& chart);

// Two shares of each of several things, side by side: what was the case in some time against the
// rest of it. In percent; more than 100 is possible.

struct PairedRow {
  std::string name;
  double first = 0;
  std::optional<double> second; ///< absent: there is nothing to compare with
};

struct PairedGroup {
  std::string name;
  std::vector<PairedRow> rows;
};

struct PairedChart {
  std::string label;
  std::string first;  ///< what the first bar of a pair is; its key in the legend is "0"
  std::string second; ///< its key is "1"
  std::vector<PairedGroup> groups;
  /// Several of a thing run at once: 200 is two of them, not percent.
  bool at_once = false;
};

inline constexpr Color kFirstOfPair{"c-s1", "#c2570c"};
inline constexpr Color kSecondOfPair = kRest;

std::string draw(const PairedChart& chart);

// By what factor each of several figures changed: a bar to the right of the middle for one that
// rose, to the left for one that fell, on a scale of factors, so that twice and half are as far.

/// Its index is its key in the legend.
enum class ChangeKind { worse, improved, other };

struct ChangeBar {
  std::string name;
  double before = 0; ///< not below 0
  double after = 0;  ///< not below 0
  std::string words; ///< "61 ms to 1.9 s"
  ChangeKind kind = ChangeKind::other;
};

struct ChangeBars {
  std::string label;
  std::vector<ChangeBar> rows;
};

Color color_of(ChangeKind kind);

/// Changes of more than a factor of 100, and those from or to 0, end at the scale's end.
std::string draw(const ChangeBars& chart);

// Parts of a whole as one horizontal bar; of several wholes as one bar each, below one another.

/// What a part is; bars share their kinds. A kind's index is its key in the legend.
struct ShareKind {
  std::string name;
  Color color;
};

struct SharePart {
  std::size_t kind = 0;
  double value = 0;  ///< in any unit; what is not above 0 has no width
  std::string words; ///< what its tip says beside the share: "2 min 5 s"; may be empty
};

struct ShareBar {
  std::string name; ///< whose whole; empty where there is one
  std::vector<SharePart> parts;
};

struct ShareChart {
  std::string label;
  std::vector<ShareKind> kinds;
  std::vector<ShareBar> bars;
};

std::string draw(const ShareChart& chart);

} // namespace debrief::chart
