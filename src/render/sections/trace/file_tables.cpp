#include "render/sections/trace/file_tables.h"

#include "render/parts/cells.h"
#include "render/parts/format.h"
#include "render/parts/trace_words.h"
#include "util/text.h"

#include <fmt/format.h>

#include <map>
#include <string>
#include <vector>

namespace debrief::render {

namespace {

std::string gpu_words(const std::vector<result::TracedGpu>& gpus) {
  std::map<std::string, std::int64_t> counts;
  for (const result::TracedGpu& gpu : gpus)
    ++counts[gpu.name.empty() ? "unnamed" : printable(gpu.name)];
  std::vector<std::string> words;
  for (const auto& [name, count] : counts)
    words.push_back(fmt::format("{} × {}", count, name));
  return words.empty() ? std::string{kUnknown} : fmt::format("{}", fmt::join(words, ", "));
}

std::string list_words(const std::vector<std::string>& words) {
  return words.empty() ? "nothing" : printable(fmt::format("{}", fmt::join(words, ", ")));
}

} // namespace

void show_trace_files(Section& section, const std::vector<result::TraceFile>& files) {
  if (files.empty()) return;
  Table table("PyTorch traces", {{"File", Kind::head},
                                 {"Process"},
                                 {"Rank", Kind::number},
                                 {"Ranks", Kind::number},
                                 {"Backend"},
                                 {"Begin", Kind::time},
                                 {"Duration", Kind::number},
                                 {"Steps", Kind::number},
                                 {"Events", Kind::number},
                                 {"GPUs"},
                                 {"Not recorded"}});
  Table events("Events of PyTorch traces",
               {{"File", Kind::head}, {"Phase and category"}, {"Events", Kind::number}});
  for (const result::TraceFile& file : files) {
    std::int64_t count = 0;
    for (const result::CategoryCount& row : file.categories) {
      count += row.count;
      events.add({printable(file.path), printable(row.category), count_cell(row.count)});
    }
    table.add({printable(file.path), printable(file.process), count_cell(file.rank),
               count_cell(file.world_size), name_or_unknown(file.backend),
               file.span ? to_iso8601(file.span->first) : std::string{kUnknown},
               micros_cell(file.duration_us), count_cell(file.steps), count_cell(count),
               gpu_words(file.gpus), list_words(file.not_recorded)});
  }
  section.show(table.drop_unknown(), kRowsShown, "traces");
  if (events.size() > 0)
    section.show(events.folded_away(
        fmt::format("Events by category: {}", counted(std::ssize(files), "trace"))));
}

} // namespace debrief::render
