#include "ingest/trackers/trainer_state_reader.h"

#include "ingest/trackers/scalar_columns.h"
#include "ingest/whole_json.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace debrief::ingest {

namespace {

using namespace trackers;
using job::ReadingReport;

constexpr std::size_t kMaxBytes = std::size_t{100} * 1024 * 1024;

constexpr std::string_view kUsualName = "trainer_state.json";

/// What Python's json writes bare.
constexpr std::array<std::string_view, 3> kBare = {"NaN", "Infinity", "-Infinity"};

std::optional<double> bare_number(std::string_view text) {
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
  return std::nullopt;
}

/// Takes the log out of the document while it is parsed: a tree of it would be ten times as large.
class StateParser final : public nlohmann::json_sax<nlohmann::json> {
public:
  StateParser(job::TrainingTotals& totals, ScalarColumns& columns)
      : totals_(totals)
      , columns_(columns) {}

  /// What writers of JSON that have no NaN make of it.
  bool null() override {
    if (in_log_ && depth_ == kEntryDepth)
      entry_.emplace_back(key_, std::numeric_limits<double>::quiet_NaN());
    return true;
  }

  bool boolean(bool /*unused*/) override { return value(); }

  bool number_integer(number_integer_t number) override {
    return numeric(static_cast<double>(number));
  }

  bool number_unsigned(number_unsigned_t number) override {
    return numeric(static_cast<double>(number));
  }

  bool number_float(number_float_t number, const string_t& /*text*/) override {
    return numeric(number);
  }

  bool string(string_t& text) override {
    const auto number = bare_number(text);
    return number ? numeric(*number) : value();
  }

  bool binary(binary_t& /*unused*/) override { return value(); }

  bool start_object(std::size_t /*unused*/) override {
    ++depth_;
    if (in_log_ && depth_ == kEntryDepth) entry_.clear();
    return true;
  }

  bool key(string_t& name) override {
    key_ = std::move(name);
    return true;
  }

  bool end_object() override {
    if (in_log_ && depth_ == kEntryDepth) end_entry();
    --depth_;
    return true;
  }

  bool start_array(std::size_t /*unused*/) override {
    if (depth_ == 1 && key_ == "log_history") in_log_ = true;
    ++depth_;
    return true;
  }

  bool end_array() override {
    --depth_;
    if (depth_ == 1) in_log_ = false;
    return true;
  }

  bool parse_error(std::size_t position, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    stopped_at_ = position;
    return false;
  }

  std::uint64_t entries() const { return entries_; }

  std::uint64_t values() const { return values_; }

  std::uint64_t without_step() const { return without_step_; }

  std::uint64_t too_many() const { return too_many_; }

  std::optional<std::size_t> stopped_at() const { return stopped_at_; }

private:
  static constexpr int kEntryDepth = 3; // the document, the log, its entry

  bool value() { return true; }

  bool numeric(double number) {
    if (in_log_ && depth_ == kEntryDepth)
      entry_.emplace_back(key_, number);
    else if (depth_ == 1)
      total(number);
    return true;
  }

  static std::optional<std::int64_t> counted(double number) {
    if (!(number >= 0 && number <= static_cast<double>(job::kMostStep))) return std::nullopt;
    return static_cast<std::int64_t>(number);
  }

  void total(double number) {
    if (key_ == "global_step") totals_.steps = counted(number);
    if (key_ == "train_batch_size" && number >= 1) totals_.batch_size = counted(number);
    if (key_ == "total_flos" && std::isfinite(number) && number > 0) totals_.total_flos = number;
  }

  const double* find(std::string_view name) const {
    for (const auto& [key, number] : entry_)
      if (key == name) return &number;
    return nullptr;
  }

  void end_entry() {
    ++entries_;
    if (const double* runtime = find("train_runtime")) { // the summary at the end
      if (std::isfinite(*runtime) && *runtime > 0) totals_.runtime = *runtime;
      if (const double* rate = find("train_samples_per_second"); rate != nullptr && *rate > 0)
        totals_.samples_per_second = *rate;
      if (const double* rate = find("train_tokens_per_second"); rate != nullptr && *rate > 0)
        totals_.tokens_per_second = *rate;
      if (find("loss") == nullptr) return;
    }
    if (const double* runtime = find("eval_runtime"); runtime != nullptr && *runtime >= 0) {
      totals_.evaluation_runtime = totals_.evaluation_runtime.value_or(0) + *runtime;
      totals_.evaluations = totals_.evaluations.value_or(0) + 1;
    }
    const double* logged = find("step");
    const auto step = logged != nullptr ? counted(*logged) : std::nullopt;
    if (!step) {
      ++without_step_;
      return;
    }
    for (const auto& [name, number] : entry_) {
      if (name == "step" || name == "epoch") continue;
      job::ScalarSeries* series = columns_.find(name);
      if (series == nullptr) {
        ++too_many_;
        continue;
      }
      series->steps.push_back(*step);
      series->values.push_back(number);
      ++values_;
    }
  }

  job::TrainingTotals& totals_;
  ScalarColumns& columns_;
  int depth_ = 0;
  bool in_log_ = false;
  std::string key_;
  std::vector<std::pair<std::string, double>> entry_;
  std::uint64_t entries_ = 0;
  std::uint64_t values_ = 0;
  std::uint64_t without_step_ = 0;
  std::uint64_t too_many_ = 0;
  std::optional<std::size_t> stopped_at_;
};

} // namespace

std::string with_quoted_numbers(std::string_view text) {
  std::string out;
  out.reserve(text.size() + text.size() / 16);
  bool in_text = false;
  for (std::size_t at = 0; at < text.size();) {
    const char c = text[at];
    if (!in_text && (c == 'N' || c == 'I' || c == '-')) {
      std::string_view found;
      for (const std::string_view bare : kBare)
        if (text.substr(at).starts_with(bare)) found = bare;
      if (!found.empty()) {
        out += '"';
        out += found;
        out += '"';
        at += found.size();
        continue;
      }
    }
    if (in_text && c == '\\' && at + 1 < text.size()) {
      out += c;
      out += text[at + 1];
      at += 2;
      continue;
    }
    if (c == '"') in_text = !in_text;
    out += c;
    ++at;
  }
  return out;
}

bool TrainerStateReader::recognizes(const InputFile& file) const {
  return file.name() == kUsualName || (looks_like_object_with(file.head(), "log_history") &&
                                       looks_like_object_with(file.head(), "global_step"));
}

void TrainerStateReader::read(InputFile& file, FileReading& reading,
                              job::SourceCounts& counts) const {
  const auto damaged = [&](const std::string& trouble) {
    ReadingReport::count(reading.report.damaged_files, trouble, std::string{file.path});
  };
  while (file.bytes.more())
    if (file.bytes.view().size() > kMaxBytes) return damaged("trainer state of more than 100 MB");
  const std::string text = with_quoted_numbers(file.bytes.view());
  LoggedRun run;
  run.source = job::ScalarSource::trainer_state;
  // A folder may have several that are called otherwise.
  run.folder = file.name() == kUsualName ? folder_of(file.path) : std::string{file.path};
  ScalarColumns columns;
  StateParser parser{run.totals, columns};
  nlohmann::json::sax_parse(text, &parser);
  counts.records += parser.entries();
  counts.samples += parser.values();
  const std::string where{file.path};
  if (parser.without_step() > 0)
    ReadingReport::count(reading.report.skipped, "entry of a trainer's log without a step", where,
                         parser.without_step());
  if (parser.too_many() > 0)
    ReadingReport::count(reading.report.skipped, kTooManyScalars, where, parser.too_many());
  if (parser.stopped_at())
    damaged("trainer state is not valid JSON; what comes before the damage was read");
  run.scalars = columns.take();
  if (!run.scalars.empty()) reading.runs.push_back(std::move(run));
}

} // namespace debrief::ingest
