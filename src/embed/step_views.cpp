#include "embed/step_views.h"

#include "embed/packed_arrays.h"
#include "util/keep_longest.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace debrief::embed {

namespace {

using StepViewsJson = nlohmann::ordered_json;

constexpr std::size_t kMaxBytes = 240'000;

/// No step fits into less, so none is tried.
constexpr std::size_t kMinBytes = 500;

/// Slices of a view that are tried one after the other; a view of fewer says little.
constexpr std::array<std::size_t, 6> kSlices = {
    result::kMaxStepSlices, 10'000, 5000, 2500, 1000, 500};

/// Names of all views, each once for each kind and category of slices that have it.
class Names {
public:
  std::uint32_t number(const std::string& name, const result::StepSlice& slice) {
    const auto [found, is_new] = numbers_.emplace(std::tuple{name, slice.kind, slice.category},
                                                  static_cast<std::uint32_t>(kinds_.size()));
    if (is_new) {
      if (!kinds_.empty()) text_ += '\n'; // which no printable name has
      text_ += printable(name);
      kinds_.push_back(static_cast<std::uint32_t>(slice.kind));
      categories_.push_back(static_cast<std::uint32_t>(slice.category));
    }
    return found->second;
  }

  const std::string& text() const { return text_; }

  const std::vector<std::uint32_t>& kinds() const { return kinds_; }

  const std::vector<std::uint32_t>& categories() const { return categories_; }

private:
  std::map<std::tuple<std::string, std::int32_t, result::WorkCategory>, std::uint32_t> numbers_;
  std::string text_;
  std::vector<std::uint32_t> kinds_;
  std::vector<std::uint32_t> categories_;
};

/// The least power of ten in which all values fit.
double unit_for(const std::vector<std::int64_t>& nanoseconds) {
  std::int64_t largest = 0;
  for (const std::int64_t value : nanoseconds)
    largest = std::max(largest, value);
  double unit = 1;
  while (static_cast<double>(largest) / unit >= 4'294'967'000.0)
    unit *= 10;
  return unit;
}

StepViewsJson add_times(PackedArrays& block, const std::vector<std::int64_t>& nanoseconds) {
  const double unit = unit_for(nanoseconds);
  std::vector<std::uint32_t> stored;
  stored.reserve(nanoseconds.size());
  for (const std::int64_t value : nanoseconds)
    stored.push_back(static_cast<std::uint32_t>(static_cast<double>(value) / unit + 0.5));
  return to_json(block.add(stored, unit));
}

/// Tracks that kept no slice are left out: a trace can have thousands, whose names alone would fill
/// the page.
StepViewsJson tracks_json(const result::StepView& view, const std::vector<std::int32_t>& kept) {
  std::vector<std::int64_t> counts(view.tracks.size());
  for (const std::int32_t at : kept)
    ++counts[static_cast<std::size_t>(view.slices[static_cast<std::size_t>(at)].track)];
  StepViewsJson out = StepViewsJson::array();
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] > 0)
      out.push_back({{"name", printable(view.tracks[i].name)},
                     {"gpu", view.tracks[i].gpu},
                     {"other", printable(view.tracks[i].other)},
                     {"depth", view.tracks[i].depth},
                     {"slices", counts[i]}});
  return out;
}

/// The longest slices of a view, as columns.
StepViewsJson add_view(PackedArrays& block, Names& names, const result::StepView& view,
                       std::size_t most) {
  std::vector<std::int32_t> kept(view.slices.size());
  std::iota(kept.begin(), kept.end(), 0);
  const auto slice = [&](std::int32_t at) -> const result::StepSlice& {
    return view.slices[static_cast<std::size_t>(at)];
  };
  const std::size_t gone =
      keep_longest(kept, most, [&](std::int32_t at) { return slice(at).duration_ns; });
  std::int64_t first = 0;
  std::vector<std::uint32_t> number(view.slices.size(), kNoSample);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    number[static_cast<std::size_t>(kept[i])] = static_cast<std::uint32_t>(i);
    first = std::min(first, slice(kept[i]).start_ns);
  }
  std::vector<std::int64_t> starts;
  std::vector<std::int64_t> durations;
  std::vector<std::uint32_t> name;
  std::vector<std::uint32_t> depths;
  std::vector<std::uint32_t> launches; // of slices on GPUs
  std::vector<std::uint32_t> critical; // numbers of slices
  for (const std::int32_t at : kept) {
    const result::StepSlice& one = slice(at);
    if (one.critical) critical.push_back(static_cast<std::uint32_t>(starts.size()));
    starts.push_back(one.start_ns - first);
    durations.push_back(std::max<std::int64_t>(one.duration_ns, 0));
    name.push_back(names.number(view.names[static_cast<std::size_t>(one.name)], one));
    depths.push_back(static_cast<std::uint32_t>(one.depth));
    if (view.tracks[static_cast<std::size_t>(one.track)].gpu)
      launches.push_back(one.launch < 0 ? kNoSample : number[static_cast<std::size_t>(one.launch)]);
  }
  StepViewsJson out;
  out["which"] = view.which;
  out["process"] = printable(view.process);
  out["step"] = view.number ? StepViewsJson(*view.number) : StepViewsJson(nullptr);
  out["length"] = view.us;
  out["shown"] = view.shown_us;
  out["first"] = first;
  out["dropped"] = view.dropped + static_cast<std::int64_t>(gone);
  out["tracks"] = tracks_json(view, kept);
  out["starts"] = add_times(block, starts);
  out["durations"] = add_times(block, durations);
  out["names"] = to_json(block.add(name, 1));
  out["depths"] = to_json(block.add(depths, 1));
  out["launches"] = to_json(block.add(launches, 1));
  out["critical"] = to_json(block.add(critical, 1));
  return out;
}

EmbeddedSteps pack(std::span<const result::StepView* const> views, std::size_t most) {
  PackedArrays block;
  Names names;
  StepViewsJson index;
  index["kinds"] = result::kSliceKinds;
  index["categories"] = result::kNames<result::WorkCategory>;
  index["views"] = StepViewsJson::array();
  for (const result::StepView* view : views)
    index["views"].push_back(add_view(block, names, *view, most));
  index["kind_of_name"] = to_json(block.add(names.kinds(), 1));
  index["category_of_name"] = to_json(block.add(names.categories(), 1));
  index["names"] = {block.add_text(names.text()), names.text().size()};
  return {script_text(index), to_base64(deflated(block.bytes(), Content::text)), {}};
}

/// The same with as many other steps as fit. What one takes is about what those there take.
EmbeddedSteps packed_with(std::vector<const result::StepView*> kept,
                          const std::vector<const result::StepView*>& others, std::size_t most,
                          EmbeddedSteps alone, std::size_t budget) {
  const std::size_t each = std::max<std::size_t>(alone.size() / kept.size(), 1);
  const std::size_t room = budget - std::min(budget, alone.size());
  const std::size_t named = kept.size();
  // A step can be shorter than those that were chosen for being typical or slow.
  std::size_t count = std::min(others.size(), 2 * room / each);
  for (; count > 0; count -= (count + 3) / 4) {
    kept.resize(named);
    kept.insert(kept.end(), others.begin(), others.begin() + static_cast<std::ptrdiff_t>(count));
    EmbeddedSteps out = pack(kept, most);
    if (out.size() <= budget) return out;
  }
  return alone;
}

std::string dropped_sentence(const result::StepView& view, std::size_t most) {
  const std::size_t more = view.slices.size() - std::min(view.slices.size(), most);
  const auto all = view.dropped + static_cast<std::int64_t>(more);
  if (all == 0) return {};
  return fmt::format("The {} step is shown without its {}.", view.which,
                     all == 1 ? "shortest slice" : fmt::format("{} shortest slices", all));
}

} // namespace

std::size_t steps_budget(std::size_t room) {
  return std::min(room / 4, kMaxBytes);
}

EmbeddedSteps embed_steps(std::span<const result::StepView> views, std::size_t budget,
                          std::size_t with_others) {
  if (views.empty()) return {};
  std::vector<const result::StepView*> kept;
  std::vector<const result::StepView*> others;
  for (const result::StepView& view : views)
    (view.which == "step" ? others : kept).push_back(&view);
  std::vector<std::string> left_out;
  for (const std::string_view next : {"fastest", "slowest", ""}) {
    const std::vector<const result::StepView*> named = kept;
    for (const std::size_t most : kSlices) {
      if (budget < kMinBytes) break;
      EmbeddedSteps out = pack(kept, most);
      if (out.size() > budget) continue;
      if (!others.empty() && left_out.empty())
        out = packed_with(std::move(kept), others, most, std::move(out),
                          std::min(budget, with_others));
      out.left_out = left_out;
      for (const result::StepView* view : named)
        if (std::string sentence = dropped_sentence(*view, most); !sentence.empty())
          out.left_out.push_back(std::move(sentence));
      return out;
    }
    const auto same = [&](const result::StepView* view) { return view->which == next; };
    if (kept.size() > 1 && std::erase_if(kept, same) > 0)
      left_out.push_back(
          fmt::format("The {} step is left out, to keep the page within its size.", next));
  }
  EmbeddedSteps none;
  none.left_out = {"Steps are left out to keep the page within its size; the drawing shows one."};
  return none;
}

} // namespace debrief::embed
