#include "ingest/list_runs.h"

#include "ingest/choose_run.h"
#include "ingest/discover.h"
#include "ingest/read_file.h"
#include "util/interval_set.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>

namespace debrief::ingest {

namespace {

/// Whether a file may be a store, or say of what runs one is made, by its name: a job of a hundred
/// thousand other files is not opened for it.
bool may_name_runs(std::string_view path) {
  constexpr std::array<std::string_view, 5> kEndings = {".wandb", ".db", ".sqlite", ".sqlite3",
                                                        "meta.yaml"};
  return std::any_of(kEndings.begin(), kEndings.end(),
                     [&](std::string_view ending) { return path.ends_with(ending); });
}

/// Whether one of the set shares a moment with `span`.
bool has_moment_of(const IntervalSet<Microseconds>& set, const TimeSpan& span) {
  const auto at =
      std::lower_bound(set.begin(), set.end(), span.first,
                       [](const TimeSpan& one, Microseconds time) { return one.last < time; });
  return at != set.end() && at->first <= span.last;
}

/// Of runs by store: those of which no earlier store has a run at the same time.
std::vector<const LoggedRun*> without_repeated(const std::vector<LoggedRun>& runs) {
  std::vector<const LoggedRun*> kept;
  IntervalSet<Microseconds> before; // of earlier stores
  std::vector<TimeSpan> own;
  std::optional<job::ScalarSource> store;
  for (const LoggedRun& run : runs) {
    if (store != run.source) {
      store = run.source;
      own.insert(own.end(), before.begin(), before.end());
      before = merged(std::move(own));
      own.clear();
    }
    const auto span = span_of(run);
    if (span && has_moment_of(before, *span)) continue;
    if (span) own.push_back(*span);
    kept.push_back(&run);
  }
  return kept;
}

} // namespace

std::vector<StoredRunName> list_runs(const std::string& path, const ReadOptions& options) {
  const FoundFiles files = discover(path, options.follow_links);
  std::vector<LoggedRun> runs;
  for (const std::string& file : files.paths) {
    if (!may_name_runs(file)) continue;
    FileReading reading = read_file(files, file, options.most_unpacked, true);
    std::move(reading.runs.begin(), reading.runs.end(), std::back_inserter(runs));
  }
  runs = whole_runs(std::move(runs));
  std::erase_if(runs, [](const LoggedRun& run) { return run.deleted || !is_store(run.source); });
  std::vector<const LoggedRun*> kept = without_repeated(runs);
  std::stable_sort(kept.begin(), kept.end(), [](const LoggedRun* a, const LoggedRun* b) {
    return a->described.start.value_or(0) < b->described.start.value_or(0);
  });
  std::vector<StoredRunName> out;
  for (const LoggedRun* run : kept)
    out.push_back({run->id.empty() ? label_of(*run) : run->id, label_of(*run)});
  return out;
}

} // namespace debrief::ingest
