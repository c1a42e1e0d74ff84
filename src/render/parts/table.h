// A table of the page: columns with their kind, rows of cells. Texts come ready to show; figures
// are made by render/parts/cells.h. The rows are written as HTML here, since they are most of a
// page's text; templates/parts/table.html has the frame around them.
#pragma once

#include <cstddef>
#include <initializer_list>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace debrief::render {

struct StatusBadge;

/// How a column is set. `head` names its row; `words` holds sentences; `bar` is a drawing on a
/// scale from 0 to 100; `drawing` is a small chart; `badge` is a word with its shape and color.
enum class Kind { head, text, words, number, time, bar, drawing, badge };

struct Column {
  std::string name;
  Kind kind = Kind::text;
  /// What the script knows the column by, whatever its name: "p50"; empty: it does not.
  std::string key = {};
  /// Not among what most readers want: seen in a wide window, or on demand.
  bool detail = false;
};

/// A rectangle of a bar, in percent of the scale.
struct Mark {
  double from = 0;
  double width = 0;
  bool pale = false;
};

struct Cell {
  Cell(std::string shown)
      : text(std::move(shown)) {}

  Cell(const char* shown)
      : text(shown) {}

  Cell(std::string_view shown)
      : text(shown) {}

  /// A bar; `label` says it in words. Marks are cut at the ends of the scale.
  Cell(std::string label, std::vector<Mark> drawn)
      : text(std::move(label))
      , marks(std::move(drawn)) {}

  /// How grave something is; the graver, the later in the order of a sorted column.
  Cell(const StatusBadge& shown, int gravity);

  std::string text;
  /// The plain number in `unit`; empty: the text is all there is.
  std::string raw;
  /// "s", "B"; static text; empty: none.
  std::string_view unit;
  std::vector<Mark> marks;
  /// What hovering shows; empty: nothing.
  std::string title;
  /// Of a head: where it leads, URL-encoded; empty: nowhere.
  std::string link;
  /// What the script knows the cell's content by, whatever its text; empty: by its text.
  std::string key;
  const StatusBadge* badge = nullptr;
  int order = 0; ///< of a badge
  /// SVG of `chart`, which says `text`; empty: none.
  std::string drawing;
};

/// A drawing in a cell; sorting goes by `raw`.
Cell drawn_cell(std::string label, std::string svg, std::string raw);

/// A table that is ready to be put into its template.
struct TableView {
  struct Head {
    std::string name;
    std::string key;
    const char* css;
    std::string_view unit;
  };

  std::string id; ///< an address within the page; empty: none
  std::string caption;
  std::string css;
  std::string summary; ///< what it is folded away under; empty: it is not
  std::vector<Head> columns;
  /// Places of columns, from 1, that are seen on demand only: in a window that is not wide, and on
  /// a phone.
  std::vector<std::size_t> not_narrow;
  std::vector<std::size_t> not_phone;
  std::string rows; ///< HTML, a line for each row
};

class Table {
public:
  /// Captions name the tables to a screen reader, so no two of a page may be alike.
  Table(std::string caption, std::vector<Column> columns);

  /// Rows that a table has at most, so that a job of thousands of nodes has a page that opens: the
  /// GPUs of 256 nodes with 8 each. The result document has them all.
  static constexpr std::size_t kMaxRows = 2048;

  /// A row, with a cell for each column. Beyond kMaxRows it is only counted, for the caption.
  void add(std::vector<Cell> cells);

  /// Not sortable: for rows whose order says something.
  Table& plain();

  /// Columns that most readers do not want, by their names; those that it does not have are passed
  /// over.
  Table& details(std::initializer_list<std::string_view> names);

  /// As narrow as its content, and not sortable: for names and their values.
  Table& narrow();

  /// Takes out the columns in which no row knows a figure.
  Table& drop_unknown();

  /// Keeps every row that is added from now on: for a list that is nowhere else.
  Table& all_rows() {
    max_rows_ = std::numeric_limits<std::size_t>::max();
    return *this;
  }

  /// Leaves the first rows, and says in the caption that there are more.
  Table& first(std::size_t most);

  /// Rows that were added, shown or not.
  std::size_t size() const { return rows_.size() + left_out_; }

  TableView view() const { return view(0, rows_.size(), caption(), "", false); }

  /// One table, or two if there are clearly more rows than `shown`: the rest, without its bars, is
  /// folded away, and each row's bar becomes a note of its marks for the script to draw. `noun` is
  /// what the rows are: "operators".
  std::vector<TableView> folded(std::size_t shown, std::string_view noun) const;

  /// The whole table, folded away under a summary.
  TableView folded_away(const std::string& summary) const {
    return view(0, rows_.size(), caption(), summary, false);
  }

private:
  TableView view(std::size_t from, std::size_t to, std::string caption, std::string summary,
                 bool is_rest) const;

  /// The rows as HTML, every text escaped.
  std::string rows_html(std::size_t from, std::size_t to, bool is_rest) const;

  /// Finds the columns that are seen on demand, of those that the view has.
  void hide_columns(TableView& view, bool is_rest) const;

  /// Whether the rest of a folded table has the column, too.
  bool is_shown(std::size_t column, bool is_rest) const {
    return !is_rest || columns_[column].kind != Kind::bar;
  }

  /// What all cells of the column that have a unit have; empty where they differ.
  std::string_view unit(std::size_t column) const;

  /// With how many rows there are, if some are left out.
  std::string caption() const;

  std::string caption_;
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
  std::size_t max_rows_ = kMaxRows;
  std::size_t left_out_ = 0; ///< rows that were added and are not among rows_
  std::string class_ = "sortable";
};

} // namespace debrief::render
