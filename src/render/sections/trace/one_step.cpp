// One step in full: a chart of the median one, which the page's script replaces by a view to zoom
// into, and its longest slices.
#include "chart/meaning.h"
#include "chart/step_lanes.h"
#include "render/parts/category_words.h"
#include "render/parts/cells.h"
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/parts/step_gaps.h"
#include "render/parts/trace_words.h"
#include "render/sections/sections.h"
#include "util/keep_longest.h"
#include "util/seeded_hash.h"
#include "util/text.h"
#include "util/time.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <unordered_map>

namespace debrief::render {

namespace {

/// How slices are drawn: operators and GPU work by what they are for, all else in quiet colors by
/// kind. assets/src/steps/draw.ts has the same.
std::vector<chart::SliceLook> slice_looks() {
  std::vector<chart::SliceLook> out = {{"annotation", chart::kInk},
                                       {"module", chart::kRest},
                                       {"runtime call", chart::color_of(Meaning::launch)},
                                       {"overhead", chart::kQuiet}};
  for (std::size_t i = 0; i < result::kWorkCategories; ++i) {
    const auto category = static_cast<result::WorkCategory>(i);
    out.push_back({category_words(category), category_color(category)});
  }
  return out;
}

/// In slice_looks().
std::size_t look_of(const result::StepSlice& slice) {
  constexpr std::size_t kLooksOfKinds = 4;
  const std::string_view kind = result::kSliceKinds[slice.kind];
  if (kind == "annotation") return 0;
  if (kind == "module") return 1;
  if (kind == "runtime") return 2;
  if (kind == "overhead") return 3;
  return kLooksOfKinds + static_cast<std::size_t>(slice.category);
}

std::string caption_of(const result::StepView& view, bool cut) {
  std::string out = fmt::format("Slices of the {} by CPU thread and GPU stream",
                                view.number ? view.which + " step" : "trace");
  if (view.number && view.shown_us > view.us) out += "; dashed: end of the step on the CPU";
  out += '.';
  if (std::any_of(view.slices.begin(), view.slices.end(),
                  [](const result::StepSlice& slice) { return slice.critical; }))
    out += " Underlined: critical path.";
  if (cut)
    out += fmt::format(" Drawn: {} levels per lane, {} lanes.", chart::kMaxLevels,
                       chart::kMaxStepLanes);
  return out;
}

Chart one_step_chart(const result::StepView& view, const std::vector<StepGap>& gaps) {
  chart::StepLanes step;
  for (const StepGap& gap : gaps)
    step.gaps.push_back(
        {static_cast<double>(gap.from_ns) / 1e9, static_cast<double>(gap.to_ns) / 1e9});
  step.seconds = view.shown_us / 1e6;
  step.mark = view.us / 1e6;
  bool cut = view.tracks.size() > chart::kMaxStepLanes;
  for (const result::StepTrack& track : view.tracks) {
    step.lanes.push_back({printable(track.name), static_cast<std::size_t>(track.depth),
                          track.gpu && track.other.empty()});
    cut = cut || step.lanes.back().levels > chart::kMaxLevels;
  }
  step.kinds = slice_looks();
  std::vector<std::string> names;
  names.reserve(view.names.size());
  for (const std::string& name : view.names)
    names.push_back(printable(name));
  std::vector<bool> seen(step.kinds.size());
  for (const result::StepSlice& slice : view.slices) {
    const std::size_t look = look_of(slice);
    seen[look] = true;
    step.slices.push_back({static_cast<double>(slice.start_ns) / 1e9,
                           static_cast<double>(slice.start_ns + slice.duration_ns) / 1e9,
                           static_cast<std::size_t>(slice.track),
                           static_cast<std::size_t>(slice.depth), look,
                           names[static_cast<std::size_t>(slice.name)], slice.critical});
  }
  Chart figure;
  figure.caption = caption_of(view, cut);
  step.label = figure.caption;
  figure.svg = chart::step_lanes(step);
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (seen[i])
      figure.legend.push_back({std::to_string(i), step.kinds[i].name, step.kinds[i].color});
  return figure;
}

using result::StepSlice;
using result::StepView;

constexpr std::size_t kOneStepMaxLength = 20;

std::string step_name(const StepView& view) {
  return view.number ? fmt::format("step {} of {}", *view.number, truncate(view.process))
                     : fmt::format("the trace of {}", truncate(view.process));
}

const StepView* find_view(const std::vector<StepView>& views, std::string_view which) {
  const auto found = std::find_if(views.begin(), views.end(),
                                  [&](const StepView& view) { return view.which == which; });
  return found == views.end() ? nullptr : &*found;
}

/// The one that is drawn.
const StepView& drawn_view(const std::vector<StepView>& views) {
  const StepView* median = find_view(views, "median");
  return median != nullptr ? *median : views.front();
}

std::string length_sentence(const std::vector<StepView>& views, std::int64_t steps) {
  const StepView& view = drawn_view(views);
  const std::string took = to_human_duration(view.us / 1e6);
  if (view.which == "only")
    return view.number ? fmt::format("The only profiled step ({}) took {}.", step_name(view), took)
                       : fmt::format("The traces have no marked steps; {} lasts {}.",
                                     step_name(view), took);
  std::vector<std::string> parts;
  for (const char* which : {"median", "slowest", "fastest"})
    if (const StepView* one = find_view(views, which))
      parts.push_back(fmt::format("the {} ({}) {}{}", which, step_name(*one),
                                  parts.empty() ? "took " : "", to_human_duration(one->us / 1e6)));
  return fmt::format("{} profiled steps: {}.", grouped(steps), join_and(parts));
}

/// Whether it is of the step's process, not of another that is shown with it.
bool is_own(const StepView& view, const StepSlice& slice) {
  return view.tracks[static_cast<std::size_t>(slice.track)].other.empty();
}

std::string content_sentence(const StepView& view) {
  const auto own = [&](bool gpu) {
    return std::count_if(view.tracks.begin(), view.tracks.end(), [&](const auto& track) {
      return track.gpu == gpu && track.other.empty();
    });
  };
  const auto streams = own(true);
  const auto threads = own(false);
  const auto slices = std::count_if(view.slices.begin(), view.slices.end(),
                                    [&](const StepSlice& slice) { return is_own(view, slice); });
  std::vector<std::string> tracks;
  if (threads > 0) tracks.push_back(plural(threads, "CPU thread"));
  if (streams > 0) tracks.push_back(plural(streams, "GPU stream"));
  return fmt::format("{} on {}.", plural(slices, "slice"), join_and(tracks));
}

/// Work that a step launched and left running.
std::string tail_sentence(const StepView& view) {
  const double tail = (view.shown_us - view.us) / 1e6;
  if (!view.number || tail < 0.001 * view.us / 1e6) return {};
  return fmt::format("The GPU finishes this step's work {} after the CPU does.",
                     to_human_duration(tail));
}

/// The operator around a slice on its track; null: none.
const StepSlice* operator_around(const StepView& view, std::int32_t at) {
  const auto begin = static_cast<std::size_t>(at);
  std::int32_t depth = view.slices[begin].depth;
  for (std::size_t i = begin; i-- > 0 && depth > 0;) {
    const StepSlice& one = view.slices[i];
    if (one.track != view.slices[begin].track) return nullptr;
    if (one.depth >= depth) continue;
    depth = one.depth;
    if (one.kind == 0) return &one;
  }
  return nullptr;
}

std::string launcher(const StepView& view, const StepSlice& slice) {
  if (slice.launch < 0) return std::string{kUnknown};
  const StepSlice* op = operator_around(view, slice.launch);
  const StepSlice& call = view.slices[static_cast<std::size_t>(slice.launch)];
  return printable(view.names[static_cast<std::size_t>((op == nullptr ? call : *op).name)]);
}

/// Kernels are called as the table of kernels calls them.
StepView with_short_names(StepView view, const result::Kernels& kernels) {
  std::unordered_map<std::string_view, std::string_view, SeededHash> short_names;
  for (const result::KernelRow& row : kernels.rows)
    short_names.emplace(row.name, row.short_name);
  for (std::string& name : view.names)
    if (const auto found = short_names.find(name); found != short_names.end()) name = found->second;
  return view;
}

/// Annotations hold what is listed, so they are not listed themselves. `whole` has the whole names.
Table longest_table(const StepView& view, const std::vector<std::string>& whole) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < view.slices.size(); ++i)
    if (view.slices[i].kind != 1 && is_own(view, view.slices[i])) rows.push_back(i);
  const auto duration_of = [&](std::size_t at) { return view.slices[at].duration_ns; };
  keep_longest(rows, kOneStepMaxLength, duration_of);
  std::stable_sort(rows.begin(), rows.end(),
                   [&](std::size_t a, std::size_t b) { return duration_of(a) > duration_of(b); });
  Table table(fmt::format("Longest slices of the {}", view.number ? view.which + " step" : "trace"),
              {{"Name", Kind::head},
               {"Kind"},
               {"Track"},
               {"Start", Kind::number},
               {"Duration", Kind::number},
               {"Launched by"}});
  for (const std::size_t at : rows) {
    const StepSlice& slice = view.slices[at];
    Cell name(printable(view.names[static_cast<std::size_t>(slice.name)]));
    if (std::string all = printable(whole[static_cast<std::size_t>(slice.name)]); all != name.text)
      name.title = std::move(all);
    table.add({std::move(name), result::kSliceKinds[slice.kind],
               printable(view.tracks[static_cast<std::size_t>(slice.track)].name),
               duration_cell(static_cast<double>(slice.start_ns) / 1e9),
               duration_cell(static_cast<double>(slice.duration_ns) / 1e9), launcher(view, slice)});
  }
  return table.drop_unknown();
}

/// "Longest GPU gap: 50 ms. Meanwhile the CPU was in aten::item."
std::string gap_sentence(const std::vector<StepGap>& gaps) {
  const auto longest = std::max_element(gaps.begin(), gaps.end(), [](const auto& a, const auto& b) {
    return a.length() < b.length();
  });
  if (longest == gaps.end()) return {};
  return fmt::format("Longest GPU gap: {}. Meanwhile the CPU was in {}.",
                     to_human_duration(static_cast<double>(longest->length()) / 1e9),
                     longest->meanwhile);
}

constexpr std::size_t kGapsShown = 10;

Table gap_table(const StepView& view, std::vector<StepGap> gaps) {
  std::stable_sort(gaps.begin(), gaps.end(),
                   [](const auto& a, const auto& b) { return a.length() > b.length(); });
  Table table(
      fmt::format("Longest GPU gaps of the {}", view.number ? view.which + " step" : "trace"),
      {{"CPU meanwhile", Kind::head},
       {"Length", Kind::number},
       {"Start", Kind::number},
       {"Share (%)", Kind::number}});
  for (const StepGap& gap : gaps)
    table.add({gap.meanwhile, duration_cell(static_cast<double>(gap.length()) / 1e9),
               duration_cell(static_cast<double>(gap.from_ns) / 1e9),
               share_cell(static_cast<double>(gap.length()) / 1e3, view.us)});
  return table.first(kGapsShown);
}

std::optional<Section> make_one_step(const result::Result& result) {
  const result::Traces& traces = result.traces;
  if (traces.empty()) return std::nullopt;
  if (traces.views.empty())
    return missing("No profiled step was recorded. Record one with torch.profiler, and call its "
                   "step() after each iteration.");
  const StepView& whole = drawn_view(traces.views);
  const StepView view = with_short_names(whole, traces.kernels);
  std::int64_t steps = 0;
  for (const result::TraceFile& file : traces.files)
    steps += file.steps;
  Section section;
  section.say(length_sentence(traces.views, steps));
  section.say(content_sentence(view));
  section.say(tail_sentence(view));
  const std::vector<StepGap> gaps = gpu_gaps(view);
  section.say(gap_sentence(gaps));
  if (!gaps.empty()) section.show(gap_table(view, gaps));
  if (view.after_view > 0)
    section.note(fmt::format("Shown: the first {}; {} begin later.",
                             to_human_duration(view.shown_us / 1e6),
                             plural(view.after_view, "slice")));
  if (const Table table = longest_table(view, whole.names); table.size() > 0)
    section.show(table, 5, "slices");
  section.add({nlohmann::json::object(), {one_step_chart(view, gaps)}});
  return section;
}

} // namespace

const SectionSpec kOneStepSection = {
    .id = "one-step",
    .heading = "One step",
    .chapter = Chapter::training,
    .how_to_read = "CPU threads with nested operators are on top, GPU streams below. A stream with "
                   "gaps while its thread is busy waits on launch. A thread blocked in a sync call "
                   "while its stream is busy waits for the GPU. Hatched are GPU gaps of 1% of the "
                   "step or more. Below are the other ranks at the same moment. The arrow from a "
                   "launch to its "
                   "kernel shows the delay: long if work queues up, short if the GPU is starved.",
    .how_computed = "Steps are the ProfilerStep ranges of all processes, sorted by CPU time; the "
                    "median of an even number is the lower one. The view has everything that "
                    "touches the step, and all GPU work launched within it. A kernel belongs to "
                    "the runtime call with the same correlation id.",
    .make = make_one_step,
    .body = "sections/one_step.html",
};

} // namespace debrief::render
