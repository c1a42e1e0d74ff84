#include "ingest/tensors/join_tensors.h"

#include "ingest/tensors/tensor_store.h"
#include "ingest/tensors/trial_path.h"
#include "util/pattern_set.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <numeric>
#include <set>
#include <string_view>
#include <tuple>

namespace debrief::ingest::tensors {

namespace {

using job::ReadingReport;

std::string below(const std::string& folder, const std::string& path) {
  return folder.empty() ? path : folder + "/" + path;
}

void count_unfinished(const FoundFiles& files, std::vector<std::string> used,
                      ReadingReport& report) {
  std::sort(used.begin(), used.end());
  for (const std::string& path : files.paths) {
    const auto place = trial_path(path);
    if (!place) continue;
    if (place->unfinished)
      ReadingReport::count(report.damaged_files,
                           "was still being written when the job ended: its tensors are lost",
                           path);
    else if (place->file == TrialFile::events &&
             !std::binary_search(used.begin(), used.end(), path))
      ReadingReport::count(report.damaged_files, "has no index: its tensors are lost", path);
  }
}

/// Collections of all workers as one list: a name that several have is the union of them.
std::vector<job::TensorCollection> joined(std::vector<TensorCollections> parts,
                                          ReadingReport& report) {
  std::map<std::string, job::TensorCollection> by_name;
  const auto add = [](std::vector<std::string>& all, std::vector<std::string>& more) {
    std::move(more.begin(), more.end(), std::back_inserter(all));
  };
  const auto sort = [](std::vector<std::string>& all) {
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
  for (auto& [name, collection] : by_name) {
    sort(collection.names);
    sort(collection.patterns);
    if (const std::size_t count = collection.patterns.size(); count > PatternSet::kMost) {
      ReadingReport::count(
          report.skipped,
          fmt::format("pattern of a collection beyond the first {}", PatternSet::kMost), name,
          count - PatternSet::kMost);
      collection.patterns.resize(PatternSet::kMost);
    }
    out.push_back(std::move(collection));
  }
  return out;
}

/// Where each of `names` comes when they are sorted, which they are afterwards.
std::vector<std::uint32_t> sort_names(std::vector<std::string>& names) {
  std::vector<std::uint32_t> order(names.size());
  std::iota(order.begin(), order.end(), 0U);
  std::sort(order.begin(), order.end(),
            [&](std::uint32_t a, std::uint32_t b) { return names[a] < names[b]; });
  std::vector<std::uint32_t> place(order.size());
  std::vector<std::string> sorted;
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    sorted.push_back(std::move(names[order[i]]));
  }
  names = std::move(sorted);
  return place;
}

std::pair<std::uint32_t, std::uint32_t> key_of(const job::TensorRecord& record) {
  return {record.tensor, record.reduction};
}

constexpr std::uint32_t kTensorBits = 0x7ffffffU;
constexpr std::uint32_t kReductionBits = 0x1fU;

} // namespace

bool TensorJoin::is_own(const std::string& folder) {
  if (folder == table_.folder) return true;
  other_folders_.insert(folder);
  return false;
}

void TensorJoin::add(const TensorIndex& index) {
  if (!any_) table_.folder = index.folder;
  any_ = true;
  if (!is_own(index.folder) || index.entries.empty()) return; // or only shapes were saved
  job::TensorStep step;
  step.step = index.step;
  step.mode_step = index.mode_step;
  step.mode = index.mode;
  step.file = static_cast<std::uint32_t>(event_files_.size());
  step.first_record = table_.records.size();
  event_files_.push_back(below(table_.folder, index.events));
  const auto [worker, added] =
      worker_numbers_.try_emplace(index.worker, static_cast<std::uint32_t>(table_.workers.size()));
  step.worker = worker->second;
  if (added) table_.workers.push_back(index.worker);
  for (const TensorIndex::Entry& entry : index.entries) {
    const auto [tensor, reduction] = job::split_reduction(
        std::string_view{index.names}.substr(entry.name_begin, entry.name_size));
    const job::StringTable::Id id = names_.intern(tensor);
    if (static_cast<std::size_t>(id) >= job::kMaxTensors) {
      if (too_many_++ == 0) too_many_at_ = event_files_.back();
      continue;
    }
    job::TensorRecord record;
    record.offset = entry.offset;
    record.length = entry.length;
    record.tensor = static_cast<std::uint32_t>(id) & kTensorBits;
    record.reduction = static_cast<std::uint32_t>(reduction) & kReductionBits;
    table_.records.push_back(record);
  }
  step.record_count = table_.records.size() - step.first_record;
  table_.steps.push_back(step);
}

void TensorJoin::add(TensorCollections collections) {
  collections_.push_back(std::move(collections));
}

/// An index may name any file: only those count that were found where values lie, each for the one
/// step that it was written for.
void TensorJoin::drop_missing(const FoundFiles& files, ReadingReport& report) {
  std::set<std::string_view> taken;
  std::erase_if(table_.steps, [&](const job::TensorStep& step) {
    const std::string& path = event_files_[step.file];
    if (holds_tensor_values(path) &&
        std::binary_search(files.paths.begin(), files.paths.end(), path)) {
      if (taken.insert(path).second) return false;
      ReadingReport::count(report.damaged_files,
                           "is named by the index of another step, too: its tensors are lost",
                           path);
      return true;
    }
    ReadingReport::count(report.damaged_files, "is missing: its step's tensors are lost", path);
    return true;
  });
}

void TensorJoin::order_workers() {
  const std::vector<std::uint32_t> place = sort_names(table_.workers);
  for (job::TensorStep& step : table_.steps)
    step.worker = place[step.worker];
}

void TensorJoin::order_names() {
  const std::size_t kept = std::min(names_.size(), job::kMaxTensors);
  for (std::size_t i = 0; i < kept; ++i)
    table_.names.emplace_back(names_[static_cast<job::StringTable::Id>(i)]);
  const std::vector<std::uint32_t> place = sort_names(table_.names);
  for (job::TensorRecord& record : table_.records)
    record.tensor = place[record.tensor] & kTensorBits;
}

/// Sorts each step's records and closes the gaps, in place: there may be millions.
void TensorJoin::order_records() {
  std::size_t end = 0; // of what is kept
  for (job::TensorStep& step : table_.steps) {
    const auto from = table_.records.begin() + static_cast<std::ptrdiff_t>(step.first_record);
    const auto to = from + static_cast<std::ptrdiff_t>(step.record_count);
    std::stable_sort(from, to, [](const auto& a, const auto& b) { return key_of(a) < key_of(b); });
    step.first_record = end;
    for (auto record = from; record != to; ++record)
      if (record + 1 == to || key_of(*record) != key_of(*(record + 1))) // the last written counts
        table_.records[end++] = *record;
    step.record_count = end - step.first_record;
  }
  table_.records.resize(end);
  std::stable_sort(table_.steps.begin(), table_.steps.end(), [](const auto& a, const auto& b) {
    return std::tie(a.step, a.worker) < std::tie(b.step, b.worker);
  });
}

job::TensorTable TensorJoin::finish(const FoundFiles& files, ReadingReport& report) && {
  count_unfinished(files, event_files_, report);
  if (!any_) return {};
  std::erase_if(collections_, [&](const TensorCollections& part) { return !is_own(part.folder); });
  for (const std::string& other : other_folders_)
    report.ignored.push_back(
        {other.empty() ? "." : other, fmt::format("another job's tensors; this job's are in {}",
                                                  table_.folder.empty() ? "." : table_.folder)});
  if (too_many_ > 0)
    ReadingReport::count(report.skipped,
                         fmt::format("tensor beyond the first {} names", job::kMaxTensors),
                         too_many_at_, too_many_);
  drop_missing(files, report);
  order_workers();
  order_names();
  order_records();
  table_.collections = joined(std::move(collections_), report);
  table_.ended = std::binary_search(files.paths.begin(), files.paths.end(),
                                    below(table_.folder, "training_job_end.ts"));
  table_.source =
      std::make_shared<TensorStore>(files.root, std::move(event_files_), files.links_are_asked_for);
  return std::move(table_);
}

} // namespace debrief::ingest::tensors
