// What a mark stands for decides its color, so that the same thing looks the same in every chart of
// every page. assets/src/tokens.css has both themes; a test holds any two apart by Delta E 12 or
// more, as seen with the common color blindnesses too. Red is none of them: it says how grave
// something is.
#pragma once

#include "chart/svg.h"
#include "util/meaning.h"

#include <array>

namespace debrief::chart {

inline constexpr std::size_t kMeanings = 11;

constexpr Color color_of(Meaning meaning) {
  constexpr std::array<Color, kMeanings> kColors = {{{"c-compute", "#0b5cad"},
                                                     {"c-data", "#c2570c"},
                                                     {"c-disk", "#7a3b00"},
                                                     {"c-communication", "#8f4e8b"},
                                                     {"c-launch", "#00795c"},
                                                     {"c-copy", "#4a90c2"},
                                                     {"c-between", "#3f4854"},
                                                     {"c-startup", "#8b95a1"},
                                                     {"c-model", "#7e17e6"},
                                                     {"c-idle", "#c9d0d8"},
                                                     {"c-unmeasured", "url(#not-measured)"}}};
  return kColors[static_cast<std::size_t>(meaning)];
}

} // namespace debrief::chart
