#include "ingest/tensors/collections_reader.h"

#include "ingest/tensors/trial_path.h"
#include "ingest/whole_json.h"

#include <algorithm>

namespace debrief::ingest {

namespace {

using nlohmann::json;

/// The texts of a list; whatever else is in it is left out.
std::vector<std::string> texts_in(const json& object, const char* key) {
  std::vector<std::string> out;
  const auto list = object.find(key);
  if (list == object.end() || !list->is_array()) return out;
  for (const json& text : *list)
    if (text.is_string()) out.push_back(text.get<std::string>());
  return out;
}

} // namespace

bool TensorCollectionsReader::recognizes(const InputFile& file) const {
  const auto place = tensors::trial_path(file.path);
  return place && place->file == tensors::TrialFile::collections && !place->unfinished;
}

void TensorCollectionsReader::read(InputFile& file, FileReading& reading,
                                   job::SourceCounts& counts) const {
  const auto place = tensors::trial_path(file.path);
  const WholeJson document = read_whole_json(file.bytes);
  const auto found =
      document.trouble.empty() ? document.object.find("collections") : document.object.end();
  if (!place || found == document.object.end() || !found->is_object()) {
    job::ReadingReport::count(reading.report.damaged_files,
                              "is not a valid list of tensor collections", std::string{file.path});
    return;
  }
  TensorCollections out;
  out.folder = place->folder;
  for (const auto& [name, collection] : found->items()) {
    ++counts.records;
    if (!collection.is_object()) {
      job::ReadingReport::count(reading.report.skipped, "tensor collection that is not valid",
                                std::string{file.path});
      continue;
    }
    out.collections.push_back(
        {name, texts_in(collection, "tensor_names"), texts_in(collection, "include_regex")});
  }
  reading.tensor_collections = std::move(out);
}

} // namespace debrief::ingest
