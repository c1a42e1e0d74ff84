#include "ingest/xgboost/model_reader.h"

#include "ingest/xgboost/document_stream.h"
#include "ingest/xgboost/model_parser.h"

#include <string>

namespace debrief::ingest {

namespace {

constexpr std::string_view kLearner = "learner"; ///< the first key, as keys are sorted

/// A first key of UBJSON has its length before it: "{L\0\0\0\0\0\0\0\7learner".
bool is_ubjson_model(std::string_view head) {
  constexpr std::string_view kLengths = "iUIlL";
  constexpr std::size_t kMostBefore = 16;
  return head.size() > 2 && head[0] == '{' && kLengths.find(head[1]) != kLengths.npos &&
         head.substr(0, kMostBefore + kLearner.size()).find(kLearner) != head.npos;
}

bool is_json_model(std::string_view text) {
  constexpr std::size_t kMostBefore = 100;
  return text.starts_with('{') && text.substr(0, kMostBefore).find("\"learner\"") != text.npos;
}

} // namespace

bool XgboostModelReader::recognizes(const InputFile& file) const {
  return is_ubjson_model(file.head()) || is_json_model(file.text_head());
}

void XgboostModelReader::read(InputFile& file, FileReading& reading,
                              job::SourceCounts& counts) const {
  using nlohmann::json;
  const std::string path{file.path};
  constexpr std::size_t kHead = 64; // a source may give less at once
  while (file.head().size() < kHead && file.bytes.more())
    ;
  const bool text = !is_ubjson_model(file.head());
  xgboost::DocumentStream stream{file.bytes, text};
  xgboost::ModelParser parser{stream};
  const bool whole = json::sax_parse(
      xgboost::DocumentIterator{stream}, xgboost::DocumentIterator{}, &parser,
      text ? json::input_format_t::json : json::input_format_t::ubjson, /*strict=*/false);
  job::TreeModel model = parser.finish();
  counts.records = static_cast<std::uint64_t>(model.trees) + parser.broken_trees();
  if (parser.broken_trees() > 0)
    job::ReadingReport::count(reading.report.skipped,
                              "tree of a saved model whose nodes do not fit together", path,
                              parser.broken_trees());
  if (!whole) {
    model.rounds.reset(); // its list may have been cut off
    job::ReadingReport::count(reading.report.damaged_files,
                              "saved XGBoost model is damaged: trees before the damage were read",
                              path);
  }
  if (!parser.has_booster()) {
    if (whole) reading.report.ignored.push_back({path, "an XGBoost configuration, not a model"});
    return;
  }
  model.path = path;
  reading.tree_model = std::move(model);
}

} // namespace debrief::ingest
