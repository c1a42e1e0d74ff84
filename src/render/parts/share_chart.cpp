#include "render/parts/share_chart.h"

#include "chart/bars.h"
#include "chart/meaning.h"
#include "render/parts/format.h"
#include "util/number_text.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace debrief::render {

namespace {

using chart::Color;

/// Parts that are met in several drawings look the same in all of them.
std::optional<Color> known_color(const std::string& name) {
  static const std::map<std::string, Meaning, std::less<>> meanings = {
      {"training loop", Meaning::compute},
      {"TRAIN", Meaning::compute},
      {"Step:ModeKeys.TRAIN", Meaning::compute},
      {"EVAL", Meaning::copy}, // it computes too: the paler blue
      {"Step:ModeKeys.EVAL", Meaning::copy},
      {"startup", Meaning::startup},
      {"shutdown", Meaning::idle},
      {"between steps", Meaning::between},
      {"others", Meaning::idle},
      {"unattributed", Meaning::idle},
      {"kernel", Meaning::compute},
      {"memcpy", Meaning::copy},
      {"memset", Meaning::startup},
      {"communication", Meaning::communication},
      {"runtime", Meaning::launch},
      {"data loader", Meaning::data},
      {"CPU operators", Meaning::between},
      {"other host code", Meaning::startup},
      {"runtime calls", Meaning::disk},
      {"launch", Meaning::launch},
      {"compute", Meaning::compute},
      {"copy", Meaning::copy},
      {"kernel gaps", Meaning::idle},
      {"other", Meaning::idle},
      {"kernels", Meaning::compute},
      {"communication and memory", Meaning::communication},
      {"copies alone", Meaning::copy},
      {"idle, waiting on launch", Meaning::launch},
      {"idle, between kernels", Meaning::startup},
      {"idle, other", Meaning::idle},
      {"compute only", Meaning::compute},
      {"overlapped", Meaning::copy},
      {"exposed", Meaning::communication},
      {"neither", Meaning::idle},
      {"bf16", Meaning::compute},
      {"fp16", Meaning::copy},
      {"fp32", Meaning::between},
      {"tf32", Meaning::launch},
      {"fp8", Meaning::communication},
      {"fp64", Meaning::disk},
      {"unknown", Meaning::idle},
      {"GPU below threshold, no bottleneck", Meaning::idle},
      {"GPU below threshold, bottleneck", Meaning::launch},
      {"DataLoaderIter", Meaning::data},
      {"DataLoaderWorker", Meaning::data},
  };
  if (name == "sync wait") return chart::kPale; // of the critical path
  const auto found = meanings.find(name);
  return found == meanings.end() ? std::nullopt : std::optional{chart::color_of(found->second)};
}

/// The bars' shares, by whole, in the order in which they come.
using Wholes = std::vector<std::pair<std::string, std::vector<const Share*>>>;

Wholes wholes_of(const std::vector<Share>& shares) {
  Wholes out;
  std::map<std::string, std::size_t> places;
  for (const Share& share : shares) {
    const auto [place, is_new] = places.emplace(share.whole, out.size());
    if (is_new) out.push_back({share.whole, {}});
    out[place->second].second.push_back(&share);
  }
  std::erase_if(out, [](const auto& whole) {
    return std::any_of(whole.second.begin(), whole.second.end(),
                       [](const Share* share) { return share->value < 0; });
  });
  return out;
}

/// Parts of less cannot be told apart in a bar, in percent.
constexpr double kLeastPart = 3;

/// Whether a bar of the shares would be of one color: a sentence says as much.
bool is_one_part(const std::vector<const Share*>& shares) {
  double whole = 0;
  for (const Share* share : shares)
    whole += share->value;
  const auto seen = std::count_if(shares.begin(), shares.end(), [&](const Share* share) {
    return 100 * share->value >= kLeastPart * whole;
  });
  return seen < 2;
}

/// What the parts are: as many as there are colors, and what is left as the last.
struct Kinds {
  std::vector<chart::ShareKind> kinds;
  std::map<std::string, std::size_t> index; ///< by name; of what is not in it: the last
};

Kinds kinds_of(const Wholes& wholes) {
  std::map<std::string, Color, std::less<>> given;
  for (const auto& [whole, shares] : wholes)
    for (const Share* share : shares)
      if (share->meaning) given.emplace(share->name, chart::color_of(*share->meaning));
  const auto color_of_share = [&](const std::string& name) {
    const auto found = given.find(name);
    return found == given.end() ? known_color(name) : std::optional{found->second};
  };
  std::vector<std::pair<std::string, double>> sums;
  std::map<std::string, std::size_t> places;
  for (const auto& [whole, shares] : wholes)
    for (const Share* share : shares) {
      const auto [place, is_new] = places.emplace(share->name, sums.size());
      if (is_new) sums.emplace_back(share->name, 0);
      sums[place->second].second += share->value;
    }
  const auto unknown = static_cast<std::size_t>(std::count_if(
      sums.begin(), sums.end(), [&](const auto& sum) { return !color_of_share(sum.first); }));
  if (unknown > chart::kSeries)
    std::stable_sort(sums.begin(), sums.end(),
                     [](const auto& a, const auto& b) { return a.second > b.second; });
  Kinds out;
  std::size_t used = 0;
  std::size_t left = 0;
  for (const auto& [name, sum] : sums) {
    std::optional<Color> color = color_of_share(name);
    const auto taken = [&](const chart::ShareKind& kind) {
      return kind.color.light == color->light; // a series' color can be that of a meaning
    };
    while (!color && used < chart::kSeries) {
      color = chart::series(used++);
      if (std::any_of(out.kinds.begin(), out.kinds.end(), taken)) color.reset();
    }
    if (!color) {
      ++left;
      continue;
    }
    out.index.emplace(name, out.kinds.size());
    out.kinds.push_back({printable(name), *color});
  }
  if (left > 0)
    out.kinds.push_back(
        {fmt::format("{} more", grouped(static_cast<std::int64_t>(left))), chart::kRest});
  return out;
}

std::size_t kind_of(const Kinds& kinds, const std::string& name) {
  const auto found = kinds.index.find(name);
  return found == kinds.index.end() ? kinds.kinds.size() - 1 : found->second;
}

/// One part for each kind, in the order of kinds where some are joined, else in their own.
chart::ShareBar bar_of(const Kinds& kinds, const std::string& name,
                       const std::vector<const Share*>& shares) {
  chart::ShareBar bar{printable(name), {}};
  for (const Share* share : shares) {
    const std::size_t kind = kind_of(kinds, share->name);
    const auto same = std::find_if(bar.parts.begin(), bar.parts.end(),
                                   [kind](const auto& part) { return part.kind == kind; });
    if (same == bar.parts.end()) {
      bar.parts.push_back({kind, share->value, share->words});
    } else {
      same->value += share->value;
      same->words.clear(); // of one of them only
    }
  }
  return bar;
}

double whole_of(const chart::ShareBar& bar) {
  double whole = 0;
  for (const chart::SharePart& part : bar.parts)
    whole += part.value;
  return whole;
}

/// "TRAIN 80.0%, EVAL 20.0%" of a bar.
std::string bar_words(const chart::ShareChart& chart, const chart::ShareBar& bar) {
  const double whole = whole_of(bar);
  std::string out;
  for (const chart::SharePart& part : bar.parts)
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", truncate(chart.kinds[part.kind].name),
                       exact_percent_text(whole > 0 ? 100 * part.value / whole : 0.0));
  return out;
}

std::string label_of(const std::string& caption, const chart::ShareChart& chart) {
  constexpr std::size_t kTold = 4;
  std::string out = caption;
  for (std::size_t at = 0; at < std::min(chart.bars.size(), kTold); ++at) {
    const chart::ShareBar& bar = chart.bars[at];
    out += at == 0 ? ": " : "; ";
    if (!bar.name.empty()) out += truncate(bar.name) + ' ';
    out += bar_words(chart, bar);
  }
  if (chart.bars.size() > kTold) out += fmt::format("; and {} more", chart.bars.size() - kTold);
  return out;
}

std::vector<LegendEntry> legend_of(const chart::ShareChart& chart) {
  std::vector<LegendEntry> out;
  for (std::size_t kind = 0; kind < chart.kinds.size(); ++kind) {
    std::string words = truncate(chart.kinds[kind].name);
    if (chart.bars.size() == 1)
      for (const chart::SharePart& part : chart.bars.front().parts)
        if (const double whole = whole_of(chart.bars.front()); part.kind == kind && whole > 0)
          words += fmt::format(": {}{}", exact_percent_text(100 * part.value / whole),
                               part.words.empty() ? "" : " (" + part.words + ')');
    out.push_back({std::to_string(kind), std::move(words), chart.kinds[kind].color});
  }
  return out;
}

} // namespace

chart::Color known_share_color(const std::string& name) {
  return known_color(name).value_or(chart::kRest);
}

std::optional<Chart> share_chart(std::string caption, const std::vector<Share>& shares,
                                 std::string_view wholes_noun) {
  Wholes wholes = wholes_of(shares);
  if (wholes.empty()) return std::nullopt;
  if (wholes.size() == 1 && is_one_part(wholes.front().second)) return std::nullopt;
  if (wholes.size() > kMaxBars) {
    caption += fmt::format(", {} of {} {}", kMaxBars,
                           grouped(static_cast<std::int64_t>(wholes.size())), wholes_noun);
    wholes.resize(kMaxBars);
  }
  const Kinds kinds = kinds_of(wholes);
  chart::ShareChart chart;
  chart.kinds = kinds.kinds;
  for (const auto& [name, parts] : wholes)
    chart.bars.push_back(bar_of(kinds, name, parts));
  chart.label = label_of(caption, chart);
  return drawn_chart(
      std::move(caption), [&] { return draw(chart); }, legend_of(chart));
}

} // namespace debrief::render
