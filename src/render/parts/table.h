// A table of the page as the one template for tables wants it (templates/parts/table.html): columns
// with their kind, rows of cells. Texts come ready to show; figures are made by
// render/parts/cells.h.
#pragma once

#include <nlohmann/json.hpp>

#include <cstddef>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::render {

struct Standing;

/// How a column is set. `head` names its row; `words` holds sentences; `bar` is a drawing on a
/// scale from 0 to 100; `standing` is a word with its shape and color.
enum class Kind { head, text, words, number, time, bar, standing };

struct Column {
  std::string name;
  Kind kind = Kind::text;
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
  Cell(const Standing& shown, int gravity);

  std::string text;
  std::string raw;       ///< the plain number in `unit`; empty: the text is all there is
  std::string_view unit; ///< "s", "B"; static text; empty: none
  std::vector<Mark> marks;
  std::string title; ///< what hovering shows; empty: nothing
  std::string link;  ///< of a head: where it leads, URL-encoded; empty: nowhere
  const Standing* standing = nullptr;
  int order = 0; ///< of a standing
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

  /// As narrow as its content, and not sortable: for names and their values.
  Table& narrow();

  /// Takes out the columns in which no row knows a figure.
  Table& drop_unknown();

  /// Keeps every row that is added from now on: for a list that is nowhere else.
  Table& all_rows() {
    most_rows_ = std::numeric_limits<std::size_t>::max();
    return *this;
  }

  /// Leaves the first rows, and says in the caption that there are more.
  Table& first(std::size_t most);

  /// Rows that were added, shown or not.
  std::size_t size() const { return rows_.size() + left_out_; }

  nlohmann::json view() const { return view(0, rows_.size(), caption(), std::nullopt); }

  /// One table, or two where there are clearly more rows than `shown`: the rest, without its bars,
  /// is folded away, and each row's bar becomes a note of its marks for the script to draw. `noun`
  /// is what the rows are: "operators".
  std::vector<nlohmann::json> folded(std::size_t shown, std::string_view noun) const;

  /// The whole table, folded away under a summary.
  nlohmann::json folded_away(const std::string& summary) const {
    return view(0, rows_.size(), caption(), summary);
  }

private:
  nlohmann::json view(std::size_t from, std::size_t to, const std::string& caption,
                      const std::optional<std::string>& summary, bool is_rest = false) const;

  /// What all cells of the column that have a unit have; empty where they differ.
  std::string_view unit(std::size_t column) const;

  /// With how many rows there are, where some are left out.
  std::string caption() const;

  std::string caption_;
  std::vector<Column> columns_;
  std::vector<std::vector<Cell>> rows_;
  std::size_t most_rows_ = kMaxRows;
  std::size_t left_out_ = 0; ///< rows that were added and are not among rows_
  std::string class_ = "sortable";
};

/// A share in percent as a bar from the scale's beginning, or from where the part before it ended.
Cell share_bar(double percent, double from = 0);

/// The head of a column of `spread_bar`.
inline constexpr std::string_view kSpreadHead = "p50 strong, p95 pale";

/// Median and 95th percentile of a percentage, one upon the other.
Cell spread_bar(double p50, double p95);

} // namespace debrief::render
