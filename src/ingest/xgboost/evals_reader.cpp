#include "ingest/xgboost/evals_reader.h"

#include "ingest/trackers/scalar_columns.h"
#include "ingest/xgboost/document_stream.h"
#include "job/eval_name.h"

#include <nlohmann/json.hpp>

#include <limits>
#include <optional>
#include <string>
#include <utility>

namespace debrief::ingest {

namespace {

using trackers::ScalarColumns;
using xgboost::DocumentIterator;
using xgboost::DocumentStream;

/// Walks over the beginning of a JSON text.
class TextHead {
public:
  explicit TextHead(std::string_view text)
      : text_(text) {}

  /// The next character that is no space is this one; steps behind it.
  bool next(char wanted) {
    skip_space();
    if (!text_.starts_with(wanted)) return false;
    text_.remove_prefix(1);
    return true;
  }

  /// A text without escapes.
  std::optional<std::string_view> next_text() {
    if (!next('"')) return std::nullopt;
    const std::size_t end = text_.find('"');
    if (end == text_.npos || text_.substr(0, end).find('\\') != text_.npos) return std::nullopt;
    const std::string_view out = text_.substr(0, end);
    text_.remove_prefix(end + 1);
    return out;
  }

  bool is_number_next() {
    skip_space();
    return !text_.empty() && std::string_view{"-0123456789NI"}.find(text_.front()) != text_.npos;
  }

private:
  void skip_space() {
    text_.remove_prefix(std::min(text_.find_first_not_of(" \t\r\n"), text_.size()));
  }

  std::string_view text_;
};

/// Values of "set": {"metric": [...]} as they come.
class EvalsParser final : public nlohmann::json_sax<nlohmann::json> {
public:
  EvalsParser(DocumentStream& stream, ScalarColumns& columns)
      : stream_(stream)
      , columns_(columns) {}

  bool null() override { return value(std::numeric_limits<double>::quiet_NaN()); }

  bool boolean(bool /*unused*/) override { return skip(); }

  bool number_integer(number_integer_t number) override {
    return value(static_cast<double>(number));
  }

  bool number_unsigned(number_unsigned_t number) override {
    return value(static_cast<double>(number));
  }

  bool number_float(number_float_t number, const string_t& /*text*/) override {
    return value(number);
  }

  bool string(string_t& /*unused*/) override { return skip(); }

  bool binary(binary_t& /*unused*/) override { return skip(); }

  bool start_object(std::size_t /*unused*/) override { return enter(); }

  bool key(string_t& name) override {
    stream_.end_value();
    (depth_ == 1 ? set_ : metric_) = std::move(name);
    return true;
  }

  bool end_object() override { return leave(); }

  bool start_array(std::size_t /*unused*/) override {
    if (depth_ == kListDepth - 1) {
      list_ = columns_.find(set_ + "-" + metric_);
      if (list_ != nullptr && list_->size() > 0) list_ = nullptr; // the key is there twice
      step_ = 0;
    }
    return enter();
  }

  bool end_array() override { return leave(); }

  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    if (depth_ == kListDepth && list_ != nullptr && list_->size() > 0 && stream_.ends_in_number()) {
      list_->steps.pop_back();
      list_->values.pop_back();
      --values_;
    }
    return false;
  }

  std::uint64_t values() const { return values_; }

  std::uint64_t skipped() const { return skipped_; }

private:
  static constexpr int kListDepth = 3; // the document, the set, its list
  static constexpr int kDeepest = 64;

  bool enter() {
    stream_.end_value();
    return ++depth_ <= kDeepest;
  }

  bool leave() {
    if (depth_-- == kListDepth) list_ = nullptr;
    stream_.end_value();
    return true;
  }

  bool skip() {
    stream_.end_value();
    ++skipped_;
    if (depth_ == kListDepth) ++step_;
    return true;
  }

  bool value(double number) {
    if (depth_ != kListDepth || list_ == nullptr) return skip();
    stream_.end_value();
    list_->steps.push_back(step_++);
    list_->values.push_back(number);
    ++values_;
    return true;
  }

  DocumentStream& stream_;
  ScalarColumns& columns_;
  int depth_ = 0;
  std::string set_;
  std::string metric_;
  job::ScalarSeries* list_ = nullptr;
  std::int64_t step_ = 0;
  std::uint64_t values_ = 0;
  std::uint64_t skipped_ = 0;
};

} // namespace

bool EvalsResultReader::recognizes(const InputFile& file) const {
  TextHead head{file.text_head()};
  if (!head.next('{') || !head.next_text() || !head.next(':') || !head.next('{')) return false;
  const auto metric = head.next_text();
  if (!metric || !head.next(':') || !head.next('[') || !head.is_number_next()) return false;
  return job::is_eval_metric(*metric) || file.name().find("eval") != std::string_view::npos;
}

void EvalsResultReader::read(InputFile& file, FileReading& reading,
                             job::SourceCounts& counts) const {
  const std::string path{file.path};
  LoggedRun run;
  run.source = job::ScalarSource::xgboost;
  run.folder = trackers::folder_of(file.path);
  ScalarColumns columns;
  DocumentStream stream{file.bytes, true};
  EvalsParser parser{stream, columns};
  const bool whole = nlohmann::json::sax_parse(DocumentIterator{stream}, DocumentIterator{},
                                               &parser, nlohmann::json::input_format_t::json);
  counts.records += parser.values() + parser.skipped();
  counts.samples += parser.values();
  if (parser.skipped() > 0)
    job::ReadingReport::count(reading.report.skipped, "value that is no metric of a round", path,
                              parser.skipped());
  if (!whole)
    job::ReadingReport::count(
        reading.report.damaged_files,
        "evals_result is not valid JSON: what comes before the damage was read", path);
  for (job::ScalarSeries& series : columns.take())
    if (series.size() > 0) run.scalars.push_back(std::move(series));
  if (!run.scalars.empty()) reading.runs.push_back(std::move(run));
}

} // namespace debrief::ingest
