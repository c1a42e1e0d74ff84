#include "embed/embed.h"

#include "embed/index.h"
#include "embed/plan.h"
#include "embed/quantize.h"
#include "util/parallel.h"

#include <algorithm>

namespace debrief::embed {

namespace {

/// Samples of devices are stored more precisely where the whole takes no more than this.
constexpr std::size_t kSmall = 300'000;

/// Block 0 has the steps and what nodes have once, block i + 1 the devices of node i.
struct Packed {
  std::vector<std::string> blocks;
  Places places;
};

std::vector<std::string> numbered(std::vector<std::string> blocks, Places& places) {
  // Nodes without devices have no block.
  std::vector<std::size_t> numbers(blocks.size());
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < blocks.size(); ++i) {
    numbers[i] = kept.size();
    if (!blocks[i].empty()) kept.push_back(std::move(blocks[i]));
  }
  for (auto& node : places.nodes)
    for (PlacedMetric& metric : node)
      if (metric.devices) metric.devices->block = numbers[metric.devices->block];
  return kept;
}

Packed pack(const Bundles& bundles, const Levels& levels) {
  Packed out;
  out.blocks.resize(bundles.nodes.size() + 1);
  for (const auto& node : bundles.nodes)
    out.places.nodes.emplace_back(node.size());
  parallel_for(out.blocks.size(), [&](std::size_t number) {
    Block block;
    const auto add = [&](const Bundle& bundle) {
      return Placed{number, add_bundle(block, bundle, bundles.start, levels)};
    };
    if (number == 0) {
      for (std::size_t i = 0; i < bundles.nodes.size(); ++i)
        for (std::size_t j = 0; j < bundles.nodes[i].size(); ++j)
          out.places.nodes[i][j].whole = add(bundles.nodes[i][j].whole);
      for (const Bundle& steps : bundles.steps)
        out.places.steps.push_back(add(steps));
    } else {
      const auto& metrics = bundles.nodes[number - 1];
      for (std::size_t j = 0; j < metrics.size(); ++j)
        if (metrics[j].devices) out.places.nodes[number - 1][j].devices = add(*metrics[j].devices);
    }
    if (!block.bytes().empty()) out.blocks[number] = to_base64(deflated(block.bytes()));
  });
  out.blocks = numbered(std::move(out.blocks), out.places);
  return out;
}

Embedded finished(Packed packed, const result::Timeline& timeline, const Bands& bands,
                  const Levels& levels) {
  Embedded out;
  out.thinned = thinning_sentences(levels);
  out.index = index_text(timeline, packed.places, bands, out.thinned);
  out.blocks = std::move(packed.blocks);
  return out;
}

std::size_t device_samples(const result::Timeline& timeline) {
  std::size_t samples = 0;
  for (const result::NodeTimeline& node : timeline.nodes)
    for (const result::MetricTimeline& metric : node.metrics)
      samples += metric.times.size() * metric.devices.size();
  return samples;
}

/// What names of nodes, metrics and devices take in the index, with the keys around them.
std::size_t names_size(const result::Timeline& timeline) {
  constexpr std::size_t kKeys = 90; // of a metric: "metric", "unit", "every", "block", …
  std::size_t size = 0;
  for (const result::NodeTimeline& node : timeline.nodes) {
    size += node.node.size() + kKeys;
    for (const result::MetricTimeline& metric : node.metrics) {
      size += kKeys;
      for (const std::string& device : metric.devices)
        size += device.size() + 3;
    }
  }
  return size;
}

} // namespace

std::size_t Embedded::size() const {
  std::size_t sum = index.size();
  for (const std::string& block : blocks)
    sum += block.size();
  return sum;
}

Embedded embed(const result::Timeline& timeline, const Bands& bands, std::size_t budget) {
  if (timeline.empty()) return {};
  constexpr Levels kAll = {1, 1, 1, 1};
  if (device_samples(timeline) <= 2 * kSmall) {
    Embedded out =
        finished(pack(Bundles{timeline, kFineDevicePercent}, kAll), timeline, bands, kAll);
    if (out.size() <= std::min(kSmall, budget)) return out;
  }
  const Bundles bundles{timeline, kDevicePercent};
  Plan plan{bundles};
  // What the index has beside its arrays: names, phases, incidents.
  const std::size_t fixed = index_text(timeline, {}, bands, {}).size() + names_size(timeline);
  const auto room = static_cast<double>(budget - std::min(budget, fixed));
  for (double target = room;;) {
    plan.fit(target);
    Embedded out = finished(pack(bundles, plan.levels()), timeline, bands, plan.levels());
    if (out.size() <= budget || room <= 0 || plan.exhausted()) return out;
    // The prediction was too low by this factor; a little more, since the next one will be too.
    target =
        0.98 * plan.total() * room / static_cast<double>(std::max(out.size(), fixed + 1) - fixed);
  }
}

} // namespace debrief::embed
