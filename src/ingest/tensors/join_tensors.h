// The index files of one debug-output folder as one table.
#pragma once

#include "ingest/discover.h"
#include "ingest/reader.h"
#include "job/string_table.h"
#include "job/tensors.h"

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace debrief::ingest::tensors {

/// Takes index after index, in the order of their paths, and keeps of each only what the table
/// needs: names repeat in every step. Of several folders the first one is the job's.
class TensorJoin {
public:
  void add(const TensorIndex& index);
  void add(TensorCollections collections);

  /// What is lost or left out is counted in `report`.
  job::TensorTable finish(const FoundFiles& files, job::ReadingReport& report) &&;

private:
  bool is_own(const std::string& folder);
  void drop_missing(const FoundFiles& files, job::ReadingReport& report);
  void order_workers();
  void order_names();
  void order_records();

  job::TensorTable table_;
  bool any_ = false;
  std::set<std::string, std::less<>> other_folders_;
  std::vector<TensorCollections> collections_;
  job::StringTable names_;
  std::map<std::string, std::uint32_t> worker_numbers_;
  std::vector<std::string> event_files_; ///< relative to the job's folder, one for each step
  std::uint64_t too_many_ = 0;           ///< tensors beyond the names that are kept
  std::string too_many_at_;
};

} // namespace debrief::ingest::tensors
