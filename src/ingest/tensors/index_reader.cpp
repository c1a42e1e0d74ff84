#include "ingest/tensors/index_reader.h"

#include "ingest/tensors/trial_path.h"

#include <simdjson.h>

#include <limits>

namespace debrief::ingest {

namespace {

using job::ReadingReport;
namespace dom = simdjson::dom;

/// One tensor of the payload; false where it lacks its name or its place.
bool add_entry(const dom::element& element, TensorIndex& index) {
  dom::object object;
  std::string_view name;
  std::uint64_t offset = 0;
  std::uint64_t length = 0;
  if (element.get_object().get(object) != simdjson::SUCCESS ||
      object["tensorname"].get_string().get(name) != simdjson::SUCCESS ||
      object["start_idx"].get_uint64().get(offset) != simdjson::SUCCESS ||
      object["length"].get_uint64().get(length) != simdjson::SUCCESS || name.empty() ||
      length > std::numeric_limits<std::uint32_t>::max())
    return false;
  index.entries.push_back({offset, static_cast<std::uint32_t>(length),
                           static_cast<std::uint32_t>(index.names.size()),
                           static_cast<std::uint32_t>(name.size())});
  index.names += name;
  return true;
}

/// What the file says about its step; false where that is not valid.
bool read_meta(const dom::element& document, TensorIndex& index) {
  dom::object meta;
  std::string_view mode;
  if (document["meta"].get_object().get(meta) != simdjson::SUCCESS ||
      meta["mode"].get_string().get(mode) != simdjson::SUCCESS ||
      meta["mode_step"].get_int64().get(index.mode_step) != simdjson::SUCCESS ||
      !job::is_step(index.mode_step))
    return false;
  const auto known = job::tensor_mode(mode);
  if (!known) return false;
  index.mode = *known;
  std::string_view file; // absent where only shapes were saved
  if (meta["event_file_name"].get_string().get(file) == simdjson::SUCCESS) index.events = file;
  return true;
}

} // namespace

bool TensorIndexReader::recognizes(const InputFile& file) const {
  const auto place = tensors::trial_path(file.path);
  return place && place->file == tensors::TrialFile::index && !place->unfinished;
}

void TensorIndexReader::read(InputFile& file, FileReading& reading,
                             job::SourceCounts& counts) const {
  while (file.bytes.more())
    ;
  const auto place = tensors::trial_path(file.path);
  const std::string_view text = file.head();
  thread_local dom::parser parser;
  dom::element document;
  TensorIndex index;
  // The block reader keeps simdjson's padding behind its view.
  const bool valid =
      place && parser.parse(text.data(), text.size(), false).get(document) == simdjson::SUCCESS;
  file.bytes.consume(text.size());
  if (!valid || !read_meta(document, index)) {
    ReadingReport::count(reading.report.damaged_files,
                         "is not a valid index of tensors: its step is lost",
                         std::string{file.path});
    return;
  }
  index.folder = place->folder;
  index.worker = place->worker;
  index.step = place->step;
  dom::array payload;
  if (document["tensor_payload"].get_array().get(payload) == simdjson::SUCCESS) {
    index.entries.reserve(payload.size());
    for (const dom::element element : payload) {
      ++counts.records;
      if (!add_entry(element, index))
        ReadingReport::count(reading.report.skipped, "tensor without a name or a place",
                             std::string{file.path});
    }
    index.names.shrink_to_fit(); // thousands of files are held at once
  }
  reading.tensor_index = std::move(index);
}

} // namespace debrief::ingest
