#include "fuzz.h"
#include "ingest/trackers/memory_database.h"
#include "ingest/trackers/mlflow_db_reader.h"
#include "ingest/trackers/mlflow_files_reader.h"

#include <array>

/// A database, or after a byte that says which one a file of a text store.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace debrief;
  const std::string_view text{reinterpret_cast<const char*>(data), size};
  if (text.empty()) return 0;
  if (text.starts_with(ingest::trackers::kSqliteMagic.substr(0, 6)))
    return fuzz::read_with(ingest::MlflowDatabaseReader{}, "mlflow.db", data, size);
  static const std::array<std::string, 4> paths = {"0/a/meta.yaml", "0/a/metrics/system/x",
                                                   "0/a/params/lr", "0/a/tags/mlflow.runName"};
  fuzz::FuzzSource source{data + 1, size - 1};
  ingest::BlockReader bytes{source, 128};
  bytes.more();
  const std::string& path = paths[data[0] % paths.size()];
  ingest::InputFile file{path, paths, bytes};
  ingest::FileReading reading;
  const ingest::MlflowFilesReader reader;
  reader.recognizes(file);
  reader.read(file, reading, reading.report.sources[std::string{reader.name()}]);
  return 0;
}
