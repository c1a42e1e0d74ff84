#include "ingest/trackers/mlflow_db_reader.h"

#include "ingest/trackers/memory_database.h"
#include "ingest/trackers/mlflow_run.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace debrief::ingest {

namespace {

using namespace trackers;
using job::ReadingReport;

/// The name of the table whose rows are a run's values: other databases have none of it.
constexpr std::string_view kMark = "latest_metrics";

using PointsByMetric = std::map<std::string, std::vector<MlflowPoint>, std::less<>>;

struct StoredRun {
  MlflowRun run;
  PointsByMetric metrics;
};

class StoreReader {
public:
  StoreReader(const InputFile& file, FileReading& reading, job::SourceCounts& counts)
      : path_(file.path)
      , reading_(reading)
      , counts_(counts) {}

  void read(const MemoryDatabase& database) {
    rows(database, "runs",
         {"run_uuid", "name", "status", "start_time", "end_time", "lifecycle_stage"},
         [&](const DatabaseRow& row) { add_run(row); });
    rows(database, "params", {"run_uuid", "key", "value"}, [&](const DatabaseRow& row) {
      if (StoredRun* run = find(row.text(0))) run->run.parameters().add(row.text(1), row.text(2));
    });
    rows(database, "metrics", {"run_uuid", "key", "value", "timestamp", "step", "is_nan"},
         [&](const DatabaseRow& row) { add_point(row); });
    // Schemas before 2019 have no names of runs but in tags.
    rows(database, "tags", {"run_uuid", "key", "value"}, [&](const DatabaseRow& row) {
      if (row.text(1) != "mlflow.runName") return;
      StoredRun* run = find(row.text(0));
      if (run != nullptr && run->run.run().name.empty()) run->run.run().name = row.text(2);
    });
  }

  void take() {
    for (auto& [id, stored] : runs_) {
      for (auto& [key, points] : stored.metrics)
        stored.run.add_metric(key, std::move(points));
      counts_.samples += stored.run.samples();
      reading_.runs.push_back(stored.run.take());
    }
  }

private:
  template <typename Take>
  void rows(const MemoryDatabase& database, const char* table,
            const std::vector<std::string>& columns, const Take& take) {
    if (!database.has_table(table)) return;
    const bool whole = database.each_row(table, columns, [&](const DatabaseRow& row) {
      ++counts_.records;
      take(row);
    });
    if (!whole)
      ReadingReport::count(reading_.report.damaged_files,
                           std::string{"MLflow database is damaged in its table "} + table,
                           std::string{path_});
  }

  void add_run(const DatabaseRow& row) {
    constexpr std::size_t kMostRuns = 100'000;
    const std::string id{row.text(0)};
    if (id.empty() || runs_.contains(id)) return;
    if (runs_.size() == kMostRuns)
      return ReadingReport::count(reading_.report.skipped, "MLflow run beyond the first 100,000",
                                  std::string{path_});
    StoredRun& stored =
        runs_.try_emplace(id, StoredRun{{path_, folder_of(path_), id, reading_.report}, {}})
            .first->second;
    LoggedRun& run = stored.run.run();
    run.name = row.text(1);
    run.described.status = mlflow_status(row.text(2));
    run.described.start = mlflow_time(row.integer(3));
    if (!row.is_null(4)) run.described.end = mlflow_time(row.integer(4));
    run.deleted = row.text(5) == "deleted";
  }

  /// Rows of one metric mostly follow each other.
  void add_point(const DatabaseRow& row) {
    if (row.is_null(2) && row.integer(5) == 0)
      return ReadingReport::count(reading_.report.skipped, "MLflow metric without a value",
                                  std::string{path_});
    StoredRun* run = find(row.text(0));
    if (run == nullptr)
      return ReadingReport::count(reading_.report.skipped, "MLflow metric of an unknown run",
                                  std::string{path_});
    const std::string_view key = row.text(1);
    auto points = run->metrics.find(key);
    if (points == run->metrics.end())
      points = run->metrics.emplace(std::string{key}, std::vector<MlflowPoint>{}).first;
    points->second.push_back(
        {row.integer(4), row.integer(3),
         row.integer(5) != 0 ? std::numeric_limits<double>::quiet_NaN() : row.real(2)});
  }

  StoredRun* find(std::string_view id) {
    const auto found = runs_.find(id);
    return found == runs_.end() ? nullptr : &found->second;
  }

  std::string_view path_;
  FileReading& reading_;
  job::SourceCounts& counts_;
  std::map<std::string, StoredRun, std::less<>> runs_; ///< by id
};

} // namespace

bool MlflowDatabaseReader::recognizes(const InputFile& file) const {
  // The schema fills the first pages; other databases lie beside jobs, too.
  return file.head().starts_with(kSqliteMagic) && file.head().find(kMark) != file.head().npos;
}

void MlflowDatabaseReader::read(InputFile& file, FileReading& reading,
                                job::SourceCounts& counts) const {
  const std::string log = std::string{file.path} + "-wal";
  if (std::binary_search(file.all_paths.begin(), file.all_paths.end(), log))
    ReadingReport::count(reading.report.skipped,
                         "MLflow database's write-ahead log: close what writes it", log);
  const MemoryDatabase database{file.bytes};
  if (!database.trouble().empty())
    return ReadingReport::count(reading.report.damaged_files,
                                "MLflow database " + database.trouble(), std::string{file.path});
  StoreReader store{file, reading, counts};
  store.read(database);
  store.take();
}

} // namespace debrief::ingest
