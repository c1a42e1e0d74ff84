#include "ingest/tensors/join_tensors.h"

#include "ingest/tensors/tensor_store.h"
#include "ingest/tensors/trial_path.h"
#include "job/string_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace debrief::ingest::tensors {

namespace {

using job::ReadingReport;

std::string below(const std::string& folder, const std::string& path) {
  return folder.empty() ? path : folder + "/" + path;
}

void count_unfinished(const FoundFiles& files, const std::set<std::string, std::less<>>& used,
                      ReadingReport& report) {
  for (const std::string& path : files.paths) {
    const auto place = trial_path(path);
    if (!place) continue;
    if (place->unfinished)
      ReadingReport::count(report.damaged_files,
                           "was still being written when the job ended: its tensors are lost",
                           path);
    else if (place->file == TrialFile::events && !used.contains(path))
      ReadingReport::count(report.damaged_files, "has no index: its tensors are lost", path);
  }
}

/// Other folders' tensors are another job's.
template <typename Part>
void keep_folder(std::vector<Part>& parts, const std::string& folder,
                 std::set<std::string, std::less<>>& others) {
  std::erase_if(parts, [&](const Part& part) {
    if (part.folder == folder) return false;
    others.insert(part.folder);
    return true;
  });
}

/// Collections of all workers as one list: a name that several have is the union of them.
std::vector<job::TensorCollection> joined(std::vector<TensorCollections> parts) {
  std::map<std::string, job::TensorCollection> by_name;
  const auto add = [](std::vector<std::string>& all, std::vector<std::string>& more) {
    std::move(more.begin(), more.end(), std::back_inserter(all));
    std::sort(all.begin(), all.end());
    all.erase(std::unique(all.begin(), all.end()), all.end());
  };
  for (TensorCollections& part : parts)
    for (job::TensorCollection& collection : part.collections) {
      job::TensorCollection& all = by_name[collection.name];
      all.name = collection.name;
      add(all.names, collection.names);
      add(all.patterns, collection.patterns);
    }
  std::vector<job::TensorCollection> out;
  for (auto& [name, collection] : by_name)
    out.push_back(std::move(collection));
  return out;
}

/// The table while index after index is added.
class Joining {
public:
  Joining(job::TensorTable& table, ReadingReport& report)
      : table_(table)
      , report_(report) {}

  void add(const TensorIndex& index, const std::string& where, std::uint32_t file) {
    job::TensorStep step;
    step.step = index.step;
    step.mode_step = index.mode_step;
    step.mode = index.mode;
    step.worker = worker(index.worker);
    step.file = file;
    step.first_record = table_.records.size();
    for (const TensorIndex::Entry& entry : index.entries) {
      const auto [tensor, reduction] = job::split_reduction(
          std::string_view{index.names}.substr(entry.name_begin, entry.name_size));
      const job::StringTable::Id id = names_.intern(tensor);
      if (static_cast<std::size_t>(id) >= job::kMaxTensors) {
        ReadingReport::count(report_.skipped,
                             fmt::format("tensor beyond the first {} names", job::kMaxTensors),
                             where);
        continue;
      }
      job::TensorRecord record;
      record.offset = entry.offset;
      record.length = entry.length;
      record.tensor = static_cast<std::uint32_t>(id) & 0x7ffffffU;
      record.reduction = static_cast<std::uint32_t>(reduction) & 0x1fU;
      table_.records.push_back(record);
    }
    step.record_count = table_.records.size() - step.first_record;
    table_.steps.push_back(step);
  }

  /// Puts names and records into their order.
  void finish() {
    std::vector<std::uint32_t> order(std::min(names_.size(), job::kMaxTensors));
    std::iota(order.begin(), order.end(), 0U);
    const auto text = [&](std::uint32_t id) {
      return names_[static_cast<job::StringTable::Id>(id)];
    };
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return text(a) < text(b); });
    std::vector<std::uint32_t> place(order.size());
    for (std::uint32_t i = 0; i < order.size(); ++i) {
      place[order[i]] = i;
      table_.names.emplace_back(text(order[i]));
    }
    std::vector<job::TensorRecord> records;
    records.reserve(table_.records.size());
    for (job::TensorStep& step : table_.steps) {
      const auto begin = table_.records.begin() + static_cast<std::ptrdiff_t>(step.first_record);
      const auto end = begin + static_cast<std::ptrdiff_t>(step.record_count);
      const auto key = [](const job::TensorRecord& record) {
        return std::pair{record.tensor + 0U, record.reduction + 0U};
      };
      std::for_each(begin, end, [&](job::TensorRecord& record) {
        record.tensor = place[record.tensor] & 0x7ffffffU;
      });
      std::stable_sort(begin, end, [&](const auto& a, const auto& b) { return key(a) < key(b); });
      step.first_record = records.size();
      for (auto record = begin; record != end; ++record)
        if (record + 1 == end || key(*record) != key(*(record + 1))) // the last one written counts
          records.push_back(*record);
      step.record_count = records.size() - step.first_record;
    }
    table_.records = std::move(records);
  }

private:
  std::uint32_t worker(const std::string& name) const {
    const auto found = std::lower_bound(table_.workers.begin(), table_.workers.end(), name);
    return static_cast<std::uint32_t>(found - table_.workers.begin());
  }

  job::TensorTable& table_;
  ReadingReport& report_;
  job::StringTable names_;
};

} // namespace

job::TensorTable join_tensors(std::vector<TensorIndex> indexes,
                              std::vector<TensorCollections> collections, const FoundFiles& files,
                              job::ReadingReport& report) {
  job::TensorTable table;
  std::set<std::string, std::less<>> used;
  if (!indexes.empty()) {
    table.folder = indexes.front().folder;
    std::set<std::string, std::less<>> others;
    keep_folder(indexes, table.folder, others);
    keep_folder(collections, table.folder, others);
    for (const std::string& other : others)
      report.ignored.push_back(
          {other.empty() ? "." : other, fmt::format("another job's tensors; this job's are in {}",
                                                    table.folder.empty() ? "." : table.folder)});
    std::set<std::string> workers;
    for (const TensorIndex& index : indexes)
      workers.insert(index.worker);
    table.workers.assign(workers.begin(), workers.end());
    std::stable_sort(indexes.begin(), indexes.end(), [](const auto& a, const auto& b) {
      return std::tie(a.step, a.worker) < std::tie(b.step, b.worker);
    });
    std::vector<std::string> event_files;
    Joining joining{table, report};
    for (TensorIndex& index : indexes) {
      if (index.entries.empty()) continue; // only shapes were saved
      std::string path = below(table.folder, index.events);
      if (!std::binary_search(files.paths.begin(), files.paths.end(), path) ||
          !holds_tensor_values(path)) {
        ReadingReport::count(report.damaged_files, "is missing: its step's tensors are lost", path);
        continue;
      }
      joining.add(index, path, static_cast<std::uint32_t>(event_files.size()));
      used.insert(path);
      event_files.push_back(std::move(path));
      index = {};
    }
    joining.finish();
    table.collections = joined(std::move(collections));
    table.ended = std::binary_search(files.paths.begin(), files.paths.end(),
                                     below(table.folder, "training_job_end.ts"));
    table.source = std::make_shared<TensorStore>(files.root, std::move(event_files),
                                                 files.links_are_asked_for);
  }
  count_unfinished(files, used, report);
  return table;
}

} // namespace debrief::ingest::tensors
