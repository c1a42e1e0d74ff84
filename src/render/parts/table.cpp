#include "render/parts/table.h"

#include "chart/svg.h"
#include "render/parts/finding_words.h"
#include "render/parts/format.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace debrief::render {

namespace {

using nlohmann::json;

/// A table of so few columns is not stretched over the page: names would lie far from their values.
constexpr std::size_t kFewColumns = 5;

/// So few rows are not worth a fold.
constexpr std::size_t kFewRows = 3;

json text_or_null(const std::string& text) {
  return text.empty() ? json(nullptr) : json(text);
}

/// The class that CSS and the sorting script know a column by.
const char* class_of(Kind kind) {
  switch (kind) {
  case Kind::head:
    return "head";
  case Kind::text:
    return "text";
  case Kind::words:
    return "words";
  case Kind::number:
    return "number";
  case Kind::time:
    return "time";
  case Kind::standing:
    return "state";
  case Kind::bar:
    break;
  }
  return "drawing";
}

json marks_view(const std::vector<Mark>& marks) {
  json out = json::array();
  for (const Mark& mark : marks) {
    const double from = std::clamp(mark.from, 0.0, 100.0);
    const double to = std::clamp(mark.from + mark.width, from, 100.0);
    out.push_back({{"x", fmt::format("{:.4g}", from)},
                   {"width", fmt::format("{:.4g}", to - from)},
                   {"fill", mark.pale ? chart::kPale.light : chart::series(0).light},
                   {"class", mark.pale ? "pale" : "strong"}});
  }
  return out;
}

/// "0 80.5 pale,0 20.1 strong": each mark's start, width and class.
std::string marks_note(const std::vector<Mark>& marks) {
  std::string out;
  for (const json& mark : marks_view(marks))
    out += fmt::format("{}{} {} {}", out.empty() ? "" : ",", mark["x"].get<std::string>(),
                       mark["width"].get<std::string>(), mark["class"].get<std::string>());
  return out;
}

json standing_view(const Standing& standing) {
  return {{"class", standing.css}, {"path", standing.path}, {"fill", standing.color.light}};
}

/// A page has tens of thousands of cells: each says only what it has.
json cell_view(const Cell& cell, Kind kind) {
  json view = {{"text", cell.text}, {"class", class_of(kind)}};
  const auto add = [&](const char* key, const std::string& text) {
    if (!text.empty()) view[key] = text;
  };
  add("raw", cell.raw);
  add("title", cell.title);
  add("link", cell.link);
  if (kind == Kind::bar && !cell.marks.empty()) view["bar"] = marks_view(cell.marks);
  if (cell.standing != nullptr) {
    view["standing"] = standing_view(*cell.standing);
    view["order"] = std::to_string(cell.order);
  }
  return view;
}

/// An address within the page: "Times of the job, in UTC" -> "table-times-of-the-job".
std::string id_of(std::string_view caption) {
  std::string id = "table-" + safe_file_name(caption.substr(0, caption.find_first_of(",;:(")), "");
  std::transform(id.begin(), id.end(), id.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return id;
}

bool is_known(const Cell& cell) {
  return !cell.marks.empty() || (!cell.text.empty() && cell.text != kUnknown);
}

} // namespace

Cell::Cell(const Standing& shown, int gravity)
    : text(shown.word)
    , standing(&shown)
    , order(gravity) {}

Table::Table(std::string caption, std::vector<Column> columns)
    : caption_(std::move(caption))
    , columns_(std::move(columns)) {}

void Table::add(std::vector<Cell> cells) {
  if (cells.size() != columns_.size())
    throw std::logic_error(fmt::format("table '{}' got {} cells for {} columns", caption_,
                                       cells.size(), columns_.size()));
  if (rows_.size() < most_rows_)
    rows_.push_back(std::move(cells));
  else
    ++left_out_;
}

Table& Table::plain() {
  class_ = "plain";
  return *this;
}

Table& Table::narrow() {
  class_ = "narrow";
  return *this;
}

Table& Table::first(std::size_t most) {
  if (rows_.size() <= most) return *this;
  left_out_ += rows_.size() - most;
  rows_.erase(rows_.begin() + static_cast<std::ptrdiff_t>(most), rows_.end());
  return *this;
}

Table& Table::drop_unknown() {
  for (std::size_t at = columns_.size(); at-- > 0;) {
    if (columns_[at].kind == Kind::head) continue;
    const auto known = [at](const std::vector<Cell>& row) { return is_known(row[at]); };
    if (std::any_of(rows_.begin(), rows_.end(), known)) continue;
    const auto offset = static_cast<std::ptrdiff_t>(at);
    columns_.erase(columns_.begin() + offset);
    for (std::vector<Cell>& row : rows_)
      row.erase(row.begin() + offset);
  }
  return *this;
}

std::string Table::caption() const {
  if (left_out_ == 0) return caption_;
  return fmt::format("{} (the first {} of {})", caption_, rows_.size(), size());
}

std::string_view Table::unit(std::size_t column) const {
  std::string_view unit;
  for (const std::vector<Cell>& row : rows_) {
    const std::string_view own = row[column].unit;
    if (!own.empty() && !unit.empty() && own != unit) return {};
    if (!own.empty()) unit = own;
  }
  return unit;
}

json Table::view(std::size_t from, std::size_t to, const std::string& caption,
                 const std::optional<std::string>& summary, bool is_rest) const {
  const auto is_shown = [&](std::size_t column) {
    return !is_rest || columns_[column].kind != Kind::bar;
  };
  json columns = json::array();
  for (std::size_t at = 0; at < columns_.size(); ++at)
    if (is_shown(at))
      columns.push_back({{"name", columns_[at].name},
                         {"class", class_of(columns_[at].kind)},
                         {"unit", text_or_null(std::string{unit(at)})}});
  json rows = json::array();
  for (std::size_t row = from; row < to; ++row) {
    json cells = json::array();
    for (std::size_t at = 0; at < columns_.size(); ++at)
      if (is_shown(at))
        cells.push_back(cell_view(rows_[row][at], columns_[at].kind));
      else if (!rows_[row][at].marks.empty())
        cells[0]["note"] = marks_note(rows_[row][at].marks);
    rows.push_back(std::move(cells));
  }
  return {{"kind", "table"},
          {"id", is_rest ? json(nullptr) : json(id_of(caption_))},
          {"caption", caption},
          {"class", columns_.size() <= kFewColumns ? class_ + " small" : class_},
          {"summary", summary ? json(*summary) : json(nullptr)},
          {"columns", std::move(columns)},
          {"rows", std::move(rows)}};
}

std::vector<json> Table::folded(std::size_t shown, std::string_view noun) const {
  if (rows_.size() <= shown + kFewRows) return {view()};
  const std::string rest =
      fmt::format("{} more {}", grouped(static_cast<std::int64_t>(rows_.size() - shown)), noun);
  return {view(0, shown, caption(), std::nullopt),
          view(shown, rows_.size(), caption() + ", continued", rest, true)};
}

Cell share_bar(double percent, double from) {
  return {fmt::format("{:.1f} %", percent), {{from, percent}}};
}

Cell spread_bar(double p50, double p95) {
  return {fmt::format("median {:.1f} %, 95th percentile {:.1f} %", p50, p95),
          {{0, p95, true}, {0, p50}}};
}

} // namespace debrief::render
