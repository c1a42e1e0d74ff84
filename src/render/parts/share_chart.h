// Shares of a whole as a drawing: one bar, or one for each of several wholes.
#pragma once

#include "chart/meaning.h"
#include "render/parts/chart.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::render {

/// A part. Names come as the result has them, not yet printable.
struct Share {
  std::string whole; ///< of which process; empty where there is one whole
  std::string name;
  double value = 0;                    ///< in any unit, the same for all
  std::string words;                   ///< more about it: "2 min 5 s"; may be empty
  std::optional<Meaning> meaning = {}; ///< absent: by its name, else any color
};

/// At most so many bars are drawn; the caption says of how many.
inline constexpr std::size_t kMaxBars = 16;

/// Nothing where there is nothing to draw. A whole with a part below 0, which only SageMaker's own
/// figures can have, is no bar. Of many parts the greatest are told apart and the rest is one.
/// `wholes`: what the bars are, "processes".
/// The color of a part that several drawings have; of none of these that of what is left.
chart::Color known_share_color(const std::string& name);

std::optional<Chart> share_chart(std::string caption, const std::vector<Share>& shares,
                                 std::string_view wholes = "processes");

} // namespace debrief::render
