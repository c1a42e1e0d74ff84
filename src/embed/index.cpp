#include "embed/index.h"

#include "embed/json.h"
#include "result/kind_words.h"
#include "util/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <cmath>

namespace debrief::embed {

namespace {

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
    IndexJson out{{"metric", metric.metric}, {"unit", metric.unit}};
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

} // namespace

std::vector<std::string> thinning_sentences(const Levels& levels) {
  constexpr std::array<std::pair<const char*, const char*>, kGroups> kWords = {{
      {"Cores", "samples"},
      {"GPUs", "samples"},
      {"Steps", "steps"},
      {"Whole nodes", "samples"},
  }};
  std::vector<std::string> out;
  for (std::size_t group = 0; group < kGroups; ++group)
    if (levels[group] > 1)
      out.push_back(fmt::format("{}: each point stands for {} {} (their mean, least and greatest).",
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
    index["phases"].push_back({printable(phase.name), milliseconds(phase.span.first, start),
                               milliseconds(phase.span.last, start)});
  index["incidents"] = incidents_json(bands, start);
  index["thinned"] = thinned;
  return script_text(index);
}

} // namespace debrief::embed
