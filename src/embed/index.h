// The index of the page's samples: what the timeline has, and where. JSON that can stand in a
// script element as it is.
#pragma once

#include "embed/bands.h"
#include "embed/bundle.h"
#include "result/timeline.h"

#include <optional>
#include <string>
#include <vector>

namespace debrief::embed {

/// Where a bundle lies.
struct Placed {
  std::size_t block = 0;
  BundlePlace place;
};

struct PlacedMetric {
  Placed whole;
  std::optional<Placed> devices;
};

/// Where everything of a timeline lies, in its order.
struct Places {
  std::vector<std::vector<PlacedMetric>> nodes;
  std::vector<Placed> steps;
};

/// What the page says about levels above 1.
std::vector<std::string> thinning_sentences(const Levels& levels);

std::string index_text(const result::Timeline& timeline, const Places& places, const Bands& bands,
                       const std::vector<std::string>& thinned);

} // namespace debrief::embed
