#include "embed/embed.h"

#include "embed/bundle.h"
#include "embed/packed_arrays.h"
#include "embed/quantize.h"
#include "result/findings.h"
#include "result/phase_words.h"
#include "result/timeline.h"
#include "util/parallel.h"
#include "util/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

namespace debrief::embed {

// Where everything lies. These are parts of Samples::Prepared, which other files know by name.

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

/// Block 0 has the bytes of the steps and of what nodes have once, block i + 1 of the devices of
/// node i; those without any are left out.
struct Placing {
  std::vector<std::string> blocks;
  Places places;
};

namespace {

// The index of the page's samples: what the timeline has, and where. JSON that can stand in a
// script element as it is.

using IndexJson = nlohmann::ordered_json;

/// Milliseconds after the start, to a hundredth; whole ones without a decimal point.
IndexJson milliseconds(Microseconds time, Microseconds start) {
  const double value = std::round(static_cast<double>(time - start) / 10) / 100;
  if (value == std::round(value)) return static_cast<std::int64_t>(value);
  return value;
}

/// The arrays of one series, for what a node or a process has once.
void put_single(IndexJson& into, const Placed& placed, const char* times) {
  const SeriesPlace& series = placed.place.series.front();
  into["every"] = placed.place.every;
  into["block"] = placed.block;
  into[times] = to_json(placed.place.times);
  into["mean"] = to_json(series.mean);
  if (series.min) into["min"] = to_json(*series.min);
  if (series.max) into["max"] = to_json(*series.max);
}

IndexJson devices_json(const Placed& placed, const std::vector<std::string>& names) {
  IndexJson out;
  out["every"] = placed.place.every;
  out["block"] = placed.block;
  out["names"] = IndexJson::array();
  for (const std::string& name : names)
    out["names"].push_back(printable(name));
  out["times"] = to_json(placed.place.times);
  for (const SeriesPlace& series : placed.place.series) {
    out["mean"].push_back(to_json(series.mean));
    if (series.min) out["min"].push_back(to_json(*series.min));
    if (series.max) out["max"].push_back(to_json(*series.max));
  }
  return out;
}

IndexJson node_json(const result::NodeTimeline& node, const std::vector<PlacedMetric>& places) {
  IndexJson metrics = IndexJson::array();
  for (std::size_t i = 0; i < places.size(); ++i) {
    const result::MetricTimeline& metric = node.metrics[i];
    IndexJson out{{"metric", to_text(metric.metric)}, {"unit", metric.unit}};
    put_single(out, places[i].whole, "times");
    if (places[i].devices) out["devices"] = devices_json(*places[i].devices, metric.devices);
    metrics.push_back(std::move(out));
  }
  return {{"name", printable(node.node)}, {"metrics", std::move(metrics)}};
}

IndexJson band_json(const std::string& name, const result::Incident& incident, Microseconds start) {
  return {{"rule", printable(name)},
          {"node", printable(incident.node)},
          {"device", printable(incident.device)},
          {"what", printable(incident.what)},
          {"from", milliseconds(incident.span.first, start)},
          {"to", milliseconds(incident.span.last, start)}};
}

/// Where a finding holds, if that is one place.
result::Incident place_of(const result::Finding& finding) {
  result::Incident out;
  if (finding.where.size() != 1) return out;
  out.node = finding.where.front().node;
  out.device = finding.where.front().device;
  return out;
}

IndexJson incidents_json(const Bands& bands, Microseconds start) {
  IndexJson out = IndexJson::array();
  for (const result::Finding& finding : bands.findings) {
    result::Incident incident = place_of(finding);
    for (const TimeSpan& window : finding.windows) {
      incident.span = window;
      IndexJson band = band_json(result::kind_words(finding.kind), incident, start);
      band["finding"] = true;
      out.push_back(std::move(band));
    }
  }
  for (const result::RuleRow& rule : bands.rules)
    for (const result::Incident& incident : rule.incidents)
      out.push_back(band_json(rule.rule, incident, start));
  return out;
}

/// What the page says about levels above 1.
std::vector<std::string> thinning_sentences(const Levels& levels) {
  constexpr std::array<std::pair<const char*, const char*>, kGroups> kWords = {{
      {"Cores", "samples"},
      {"GPUs", "samples"},
      {"Steps", "steps"},
      {"Nodes", "samples"},
  }};
  std::vector<std::string> out;
  for (std::size_t group = 0; group < kGroups; ++group)
    if (levels[group] > 1)
      out.push_back(fmt::format("{}: each point stands for {} {} (mean, min and max).",
                                kWords[group].first, levels[group], kWords[group].second));
  return out;
}

std::string index_text(const result::Timeline& timeline, const Places& places, const Bands& bands,
                       const std::vector<std::string>& thinned) {
  const Microseconds start = start_of(timeline);
  IndexJson index;
  index["start"] = start / 1000;
  index["end"] = (timeline.span.last + 999) / 1000;
  index["duration"] = in_seconds(timeline.span.length());
  index["nodes"] = IndexJson::array();
  for (std::size_t i = 0; i < places.nodes.size(); ++i)
    index["nodes"].push_back(node_json(timeline.nodes[i], places.nodes[i]));
  index["steps"] = IndexJson::array();
  for (std::size_t i = 0; i < places.steps.size(); ++i) {
    IndexJson row{{"process", printable(timeline.steps[i].process)},
                  {"mode", printable(timeline.steps[i].mode)}};
    put_single(row, places.steps[i], "starts");
    index["steps"].push_back(std::move(row));
  }
  index["phases"] = IndexJson::array();
  for (const result::Phase& phase : timeline.phases)
    index["phases"].push_back({printable(result::phase_words(phase.name)),
                               milliseconds(phase.span.first, start),
                               milliseconds(phase.span.last, start)});
  index["incidents"] = incidents_json(bands, start);
  index["thinned"] = thinned;
  return script_text(index);
}

/// Samples of devices are stored more precisely where the whole takes no more than this.
constexpr std::size_t kSmall = 300'000;

/// Nothing is thinned.
constexpr Levels kAll = {1, 1, 1, 1};

/// Blocks without any bytes are left out: those of nodes without devices.
void drop_empty(Placing& all) {
  std::vector<std::size_t> numbers(all.blocks.size());
  std::vector<std::string> kept;
  for (std::size_t i = 0; i < all.blocks.size(); ++i) {
    numbers[i] = kept.size();
    if (!all.blocks[i].empty()) kept.push_back(std::move(all.blocks[i]));
  }
  all.blocks = std::move(kept);
  for (auto& node : all.places.nodes)
    for (PlacedMetric& metric : node)
      if (metric.devices) metric.devices->block = numbers[metric.devices->block];
}

/// The bundles of each block, in the order in which the block has them.
std::vector<std::vector<const Bundle*>> by_block(const Bundles& bundles) {
  std::vector<std::vector<const Bundle*>> out(bundles.nodes.size() + 1);
  for (std::size_t i = 0; i < bundles.nodes.size(); ++i)
    for (const Bundles::Metric& metric : bundles.nodes[i]) {
      out[0].push_back(&metric.whole);
      if (metric.devices) out[i + 1].push_back(&*metric.devices);
    }
  for (const Bundle& steps : bundles.steps)
    out[0].push_back(&steps);
  return out;
}

/// Gives places of by_block()'s bundles to what they are of.
Places places_of(const Bundles& bundles, std::vector<std::vector<Placed>> placed) {
  Places out;
  std::vector<std::size_t> next(placed.size());
  const auto take = [&](std::size_t block) { return std::move(placed[block][next[block]++]); };
  for (std::size_t i = 0; i < bundles.nodes.size(); ++i) {
    auto& node = out.nodes.emplace_back();
    for (const Bundles::Metric& metric : bundles.nodes[i]) {
      node.push_back({take(0), std::nullopt});
      if (metric.devices) node.back().devices = take(i + 1);
    }
  }
  for (std::size_t i = 0; i < bundles.steps.size(); ++i)
    out.steps.push_back(take(0));
  return out;
}

Placing place(const Bundles& bundles, const Levels& levels) {
  const auto blocks = by_block(bundles);
  std::vector<const Bundle*> all;
  std::vector<std::size_t> firsts; // of each block's, in all
  for (const auto& block : blocks) {
    firsts.push_back(all.size());
    all.insert(all.end(), block.begin(), block.end());
  }
  const std::vector<PackedBundle> arrays = pack_bundles(all, bundles.start, levels);
  Placing out;
  out.blocks.resize(blocks.size());
  std::vector<std::vector<Placed>> placed(blocks.size());
  parallel_for(blocks.size(), [&](std::size_t number) {
    PackedArrays block;
    for (std::size_t i = 0; i < blocks[number].size(); ++i)
      placed[number].push_back({number, add_bundle(block, arrays[firsts[number] + i])});
    out.blocks[number] = std::move(block).take();
  });
  out.places = places_of(bundles, std::move(placed));
  drop_empty(out);
  return out;
}

std::vector<std::string> as_text(const std::vector<std::string>& blocks) {
  std::vector<std::string> out(blocks.size());
  parallel_for(blocks.size(),
               [&](std::size_t i) { out[i] = to_base64(deflated(blocks[i], Content::samples)); });
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

struct Samples::Prepared {
  /// All samples, precisely: where they are few, this is likely to be what the page gets.
  std::optional<Placing> fine;
  std::vector<std::string> fine_blocks; ///< as text
  std::optional<Bundles> bundles;
  std::optional<Plan> plan; ///< of the bundles

  void make_plan(const result::Timeline& timeline) {
    if (plan) return;
    bundles.emplace(timeline, kDevicePercent);
    plan.emplace(*bundles);
  }
};

Samples::Samples(const result::Timeline& timeline)
    : timeline_(timeline)
    , prepared_(std::make_unique<Prepared>()) {
  if (timeline.empty()) return;
  if (device_samples(timeline) > 2 * kSmall) {
    prepared_->make_plan(timeline);
    return;
  }
  prepared_->fine = place(Bundles{timeline, kFineDevicePercent}, kAll);
  prepared_->fine_blocks = as_text(prepared_->fine->blocks);
}

Samples::~Samples() = default;

Embedded Samples::embed(const Bands& bands, std::size_t budget) {
  if (timeline_.empty()) return {};
  if (prepared_->fine) {
    Embedded out{
        index_text(timeline_, prepared_->fine->places, bands, {}), prepared_->fine_blocks, {}};
    if (out.size() <= std::min(kSmall, budget)) return out;
  }
  prepared_->make_plan(timeline_);
  Plan plan = *prepared_->plan;
  // What the index has beside its arrays: names, phases, incidents.
  const std::size_t fixed = index_text(timeline_, {}, bands, {}).size() + names_size(timeline_);
  const auto room = static_cast<double>(budget - std::min(budget, fixed));
  for (double target = room;;) {
    plan.fit(target);
    const Placing all = place(*prepared_->bundles, plan.levels());
    Embedded out;
    out.thinned = thinning_sentences(plan.levels());
    parallel_for(2, [&](std::size_t which) {
      if (which == 0)
        out.blocks = as_text(all.blocks);
      else
        out.index = index_text(timeline_, all.places, bands, out.thinned);
    });
    if (out.size() <= budget || room <= 0 || plan.exhausted()) return out;
    // The prediction was too low by this factor; a little more, since the next one will be too.
    target =
        0.98 * plan.total() * room / static_cast<double>(std::max(out.size(), fixed + 1) - fixed);
  }
}

} // namespace debrief::embed
