// What a step had to wait for, moment by moment: its parts, what each could gain, and the slices it
// goes through. The drawing of one step marks them.
#include "render/parts/format.h"
#include "render/parts/section.h"
#include "render/parts/share_chart.h"
#include "render/parts/trace_words.h"
#include "render/sections/sections.h"
#include "util/seeded_hash.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace debrief::render {

namespace {

using result::CriticalPath;
using result::PathItem;
using result::PathPart;

constexpr std::size_t kPathRows = 10; // the result has more

std::string path_step(const CriticalPath& path) {
  return path.number ? fmt::format("step {} of {}", *path.number, truncate(path.process))
                     : fmt::format("the trace of {}", truncate(path.process));
}

/// The one that is drawn as one step: the median.
const CriticalPath& drawn_path(const std::vector<CriticalPath>& paths) {
  const auto median = std::find_if(paths.begin(), paths.end(),
                                   [](const CriticalPath& path) { return path.which == "median"; });
  return median == paths.end() ? paths.front() : *median;
}

std::string path_sentence(const CriticalPath& path) {
  std::vector<const PathPart*> parts;
  for (const PathPart& part : path.parts)
    if (part.us > 0) parts.push_back(&part);
  if (parts.empty()) return "";
  std::stable_sort(parts.begin(), parts.end(),
                   [](const PathPart* a, const PathPart* b) { return a->us > b->us; });
  if (parts.size() > 3) parts.resize(3);
  std::vector<std::string> words;
  for (const PathPart* part : parts)
    words.push_back(fmt::format("{} {}", part->part, share_text(part->us, path.us)));
  return fmt::format("The critical path of {} ({}): {}.", path_step(path), micros(path.us),
                     join_and(words));
}

std::string gain_sentence(const CriticalPath& path) {
  const auto most =
      std::max_element(path.parts.begin(), path.parts.end(),
                       [](const PathPart& a, const PathPart& b) { return a.gain_us < b.gain_us; });
  if (most == path.parts.end() || most->gain_us <= 0) return "";
  return fmt::format(
      "The largest possible gain is from {}: without it the step takes at least {} instead of {}.",
      most->part, micros(path.us - most->gain_us), micros(path.us));
}

std::optional<Chart> path_chart(const std::vector<CriticalPath>& paths) {
  std::vector<Share> shares;
  for (const CriticalPath& path : paths)
    for (const PathPart& part : path.parts)
      shares.push_back({paths.size() > 1 ? fmt::format("{} step", path.which) : "", part.part,
                        part.us, micros(part.us)});
  return share_chart("Critical path by part", shares, "steps");
}

Table parts_table(const CriticalPath& path) {
  Table table("Critical path by part", {{"Part", Kind::head},
                                        {"Step"},
                                        {"Time", Kind::number},
                                        {"Share (%)", Kind::number},
                                        {"Share", Kind::bar},
                                        {"Max gain", Kind::number},
                                        {"Max gain (%)", Kind::number}});
  for (const PathPart& part : path.parts)
    if (part.us > 0)
      table.add({part.part,
                 path.number ? fmt::format("{} ({})", path.which, *path.number) : path.which,
                 micros_cell(part.us), two_decimals(part.percent), share_bar(part.percent),
                 micros_cell(part.gain_us), share_cell(part.gain_us, path.us)});
  return table;
}

Table items_table(const CriticalPath& path, const result::Kernels& kernels) {
  std::unordered_map<std::string_view, std::string_view, SeededHash> short_names;
  for (const result::KernelRow& row : kernels.rows)
    short_names.emplace(row.name, row.short_name);
  Table table(fmt::format("Operators and kernels on the critical path of the {}",
                          path.number ? path.which + " step" : "trace"),
              {{"Name", Kind::head},
               {"Part"},
               {"Times", Kind::number},
               {"Time", Kind::number},
               {"Share (%)", Kind::number},
               {"Share", Kind::bar}});
  for (const PathItem& item : path.items) {
    const auto shorter = short_names.find(item.name);
    Cell name(item.name.empty()
                  ? "between operators"
                  : printable(shorter == short_names.end() ? std::string_view{item.name}
                                                           : shorter->second));
    if (std::string whole = printable(item.name); !item.name.empty() && whole != name.text)
      name.title = std::move(whole);
    table.add({std::move(name), item.part, count_cell(item.count), micros_cell(item.us),
               two_decimals(item.percent), share_bar(item.percent)});
  }
  return table.first(kPathRows);
}

std::optional<Section> make_critical_path(const result::Result& result) {
  const result::Traces& traces = result.traces;
  if (traces.empty() || traces.critical_paths.empty()) return std::nullopt;
  const CriticalPath& path = drawn_path(traces.critical_paths);
  Section section;
  section.say(path_sentence(path));
  section.say(gain_sentence(path));
  section.draw(path_chart(traces.critical_paths));
  section.show(parts_table(path));
  section.show(items_table(path, traces.kernels));
  return section;
}

} // namespace

const SectionSpec kCriticalPathSection = {
    .id = "critical-path",
    .heading = "Critical path",
    .chapter = Chapter::training,
    .how_to_read =
        "Only what is on this path makes the step longer. Speed up the part with the largest gain "
        "first. The gain is an upper bound: the time saved if the part took no time at all. If no "
        "part gains much, several chains of work run in parallel.",
    .how_computed =
        "The path goes back from the step's end to whatever each moment waited for last. GPU work "
        "waits for its launch, for earlier work on its stream, or for an event of another stream. "
        "A sync call waits for the GPU work it names; anything else waits for its own thread. A "
        "backward pass and the thread that waits for it are linked. Launch runs from the start of "
        "the call to the start of the work. Kernel gaps lie between work and what it waited for. "
        "Sync wait runs from the end of the work to the return of the call. The parts sum to the "
        "step.",
    .make = make_critical_path,
};

} // namespace debrief::render
