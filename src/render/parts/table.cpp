#include "render/parts/table.h"

#include "chart/svg.h"
#include "render/parts/format.h"
#include "render/parts/status_badge.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <stdexcept>

namespace debrief::render {

namespace {

using chart::escaped;

/// A table of so few columns is not stretched over the page: names would lie far from their values.
constexpr std::size_t kFewColumns = 5;

/// So few rows are not worth a fold.
constexpr std::size_t kFewRows = 3;

/// Places that a phone has for the columns after the first, of which a number takes one.
constexpr double kPhonePlaces = 2.6;

double phone_places(Kind kind) {
  switch (kind) {
  case Kind::head:
    return 0;
  case Kind::number:
  case Kind::bar:
    return 1;
  case Kind::badge:
  case Kind::text:
  case Kind::time:
  case Kind::words: // they wrap
    return 1.3;
  case Kind::drawing:
    break;
  }
  return 2.6;
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
  case Kind::badge:
    return "state";
  case Kind::bar:
  case Kind::drawing:
    break;
  }
  return "drawing";
}

const char* class_of(const Mark& mark) {
  return mark.pale ? "pale" : "strong";
}

/// The mark with its ends on the scale.
Mark clamped(const Mark& mark) {
  const double from = std::clamp(mark.from, 0.0, 100.0);
  return {from, std::clamp(mark.from + mark.width, from, 100.0) - from, mark.pale};
}

/// "0 80.5 pale,0 20.1 strong": each mark's start, width and class.
std::string marks_note(const std::vector<Mark>& marks) {
  std::string out;
  for (const Mark& any : marks) {
    const Mark mark = clamped(any);
    out += fmt::format("{}{:.4g} {:.4g} {}", out.empty() ? "" : ",", mark.from, mark.width,
                       class_of(mark));
  }
  return out;
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
  return !cell.marks.empty() || !cell.drawing.empty() ||
         (!cell.text.empty() && cell.text != kUnknown);
}

/// ` data-raw="12"`; nothing if there is no such text.
void add_attribute(std::string& out, const char* name, std::string_view value) {
  if (!value.empty()) fmt::format_to(std::back_inserter(out), R"( {}="{}")", name, escaped(value));
}

void add_head(std::string& out, const Cell& cell, const std::string& note) {
  out += "<th";
  add_attribute(out, "title", cell.title);
  add_attribute(out, "data-bar", note);
  out += R"( scope="row"><span class="name">)";
  if (cell.link.empty())
    out += escaped(cell.text);
  else
    fmt::format_to(std::back_inserter(out), R"(<a href="{}">{}</a>)", escaped(cell.link),
                   escaped(cell.text));
  out += "</span></th>";
}

/// Colored by its classes alone: a page has hundreds of bars.
void add_bar(std::string& out, const Cell& cell) {
  fmt::format_to(
      std::back_inserter(out),
      R"(<td class="drawing"><svg viewBox="0 0 100 10" width="120" height="12" )"
      R"(role="img" aria-label="{}"><rect y="4.5" width="100" height="1" class="scale"/>)",
      escaped(cell.text));
  for (const Mark& any : cell.marks) {
    const Mark mark = clamped(any);
    fmt::format_to(std::back_inserter(out),
                   R"(<rect x="{:.4g}" y="2" width="{:.4g}" height="6" class="{}"/>)", mark.from,
                   mark.width, class_of(mark));
  }
  out += "</svg></td>";
}

/// A word with its shape, as templates/parts/status_badge.html has them.
void add_badge(std::string& out, const Cell& cell, Kind kind) {
  fmt::format_to(std::back_inserter(out),
                 R"(<td data-order="{}" class="{} {}"><svg viewBox="0 0 16 16" width="14" )"
                 R"(height="14" aria-hidden="true"><path d="{}" fill="{}" fill-rule="evenodd" )"
                 R"(class="f"/></svg> <span class="word">{}</span></td>)",
                 cell.order, class_of(kind), cell.badge->css, cell.badge->path,
                 cell.badge->color.light, escaped(cell.text));
}

void add_cell(std::string& out, const Cell& cell, Kind kind) {
  if (!cell.drawing.empty()) {
    fmt::format_to(std::back_inserter(out), R"(<td data-raw="{}" class="drawing">{}</td>)",
                   escaped(cell.raw), cell.drawing);
    return;
  }
  if (kind == Kind::bar && !cell.marks.empty()) return add_bar(out, cell);
  if (cell.badge != nullptr) return add_badge(out, cell, kind);
  out += "<td";
  add_attribute(out, "data-raw", cell.raw);
  add_attribute(out, "data-key", cell.key);
  // Most cells are numbers: having no class is what says so, for a tenth of a large page.
  if (kind != Kind::number) add_attribute(out, "class", class_of(kind));
  out += '>';
  out += escaped(cell.text);
  out += "</td>";
}

} // namespace

Cell drawn_cell(std::string label, std::string svg, std::string raw) {
  Cell out{std::move(label)};
  out.drawing = std::move(svg);
  out.raw = std::move(raw);
  return out;
}

Cell::Cell(const StatusBadge& shown, int gravity)
    : text(shown.word)
    , badge(&shown)
    , order(gravity) {}

Table::Table(std::string caption, std::vector<Column> columns)
    : caption_(std::move(caption))
    , columns_(std::move(columns)) {}

void Table::add(std::vector<Cell> cells) {
  if (cells.size() != columns_.size())
    throw std::logic_error(fmt::format("table '{}' got {} cells for {} columns", caption_,
                                       cells.size(), columns_.size()));
  if (rows_.size() < max_rows_)
    rows_.push_back(std::move(cells));
  else
    ++left_out_;
}

Table& Table::plain() {
  class_ = "plain";
  return *this;
}

Table& Table::details(std::initializer_list<std::string_view> names) {
  for (Column& column : columns_)
    column.detail =
        column.detail || std::find(names.begin(), names.end(), column.name) != names.end();
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
  return fmt::format("{} ({} of {} rows)", caption_, rows_.size(), size());
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

std::string Table::rows_html(std::size_t from, std::size_t to, bool is_rest) const {
  const auto bar = static_cast<std::size_t>(
      std::find_if(columns_.begin(), columns_.end(),
                   [](const Column& column) { return column.kind == Kind::bar; }) -
      columns_.begin());
  std::string out;
  for (std::size_t row = from; row < to; ++row) {
    const std::vector<Cell>& cells = rows_[row];
    const std::string note =
        is_rest && bar < cells.size() ? marks_note(cells[bar].marks) : std::string{};
    out += "<tr>";
    for (std::size_t at = 0; at < columns_.size(); ++at) {
      if (!is_shown(at, is_rest)) continue;
      if (columns_[at].kind == Kind::head)
        add_head(out, cells[at], note);
      else
        add_cell(out, cells[at], columns_[at].kind);
    }
    out += "</tr>\n";
  }
  return out;
}

void Table::hide_columns(TableView& view, bool is_rest) const {
  std::vector<std::size_t> places(columns_.size()); // from 1, in the view
  std::size_t place = 0;
  for (std::size_t at = 0; at < columns_.size(); ++at)
    if (is_shown(at, is_rest)) places[at] = ++place;
  // What is on a phone: the first columns that have room, but one text before the numbers, and bars
  // after everything that has words.
  std::vector<bool> on_phone(columns_.size(), false);
  double room = kPhonePlaces;
  const auto take = [&](const auto& wants) {
    for (std::size_t at = 0; at < columns_.size(); ++at) {
      const double wanted = phone_places(columns_[at].kind);
      if (columns_[at].detail || on_phone[at] || wanted > room + 1e-9 || !wants(columns_[at].kind))
        continue;
      on_phone[at] = true;
      room -= wanted;
    }
  };
  std::size_t texts = 0;
  take([&](Kind kind) { return kind != Kind::bar && (kind != Kind::text || ++texts == 1); });
  take([](Kind kind) { return kind != Kind::bar; });
  take([](Kind) { return true; });
  for (std::size_t at = 0; at < columns_.size(); ++at) {
    if (places[at] == 0 || columns_[at].kind == Kind::head) continue;
    if (columns_[at].detail) view.not_narrow.push_back(places[at]);
    if (!on_phone[at]) view.not_phone.push_back(places[at]);
  }
}

TableView Table::view(std::size_t from, std::size_t to, std::string caption, std::string summary,
                      bool is_rest) const {
  TableView out;
  out.id = is_rest ? "" : id_of(caption_);
  out.caption = std::move(caption);
  out.css = columns_.size() <= kFewColumns ? class_ + " small" : class_;
  out.summary = std::move(summary);
  for (std::size_t at = 0; at < columns_.size(); ++at)
    if (is_shown(at, is_rest))
      out.columns.push_back(
          {columns_[at].name, columns_[at].key, class_of(columns_[at].kind), unit(at)});
  hide_columns(out, is_rest);
  out.rows = rows_html(from, to, is_rest);
  return out;
}

std::vector<TableView> Table::folded(std::size_t shown, std::string_view noun) const {
  if (rows_.size() <= shown + kFewRows) return {view()};
  const std::string rest =
      fmt::format("{} more {}", grouped(static_cast<std::int64_t>(rows_.size() - shown)), noun);
  return {view(0, shown, caption(), "", false),
          view(shown, rows_.size(), caption() + ", continued", rest, true)};
}

} // namespace debrief::render
