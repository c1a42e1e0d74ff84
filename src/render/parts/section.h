// What a section of a page says: a takeaway in sentences, notes, then charts and tables in the
// order in which they were added. A section without data has one note that says what is missing and
// how to record it.
#pragma once

#include "render/parts/chart.h"
#include "render/parts/table.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace debrief::render {

/// Text between charts and tables, as the class of its element says: "take-away", "note".
struct Paragraph {
  std::string css;
  std::string text;
};

using Block = std::variant<Paragraph, Chart, TableView>;

/// One of several alike that a section's own template shows: a finding, a rule, a panel.
struct SectionItem {
  /// What the template calls them.
  nlohmann::json words;
  std::vector<Block> blocks;
};

class Section {
public:
  /// Adds a sentence to the takeaway.
  void say(std::string_view sentence);

  void note(std::string_view note) { notes_.emplace_back(note); }

  void show(const Table& table) { blocks_.emplace_back(table.view()); }

  /// The first rows, and the rest folded away. `noun` is what the rows are: "operators".
  void show(const Table& table, std::size_t shown, std::string_view noun);

  /// The whole table, folded away under a summary.
  void show_folded(const Table& table, const std::string& summary) {
    blocks_.emplace_back(table.folded_away(summary));
  }

  /// Nothing if there is nothing to draw.
  void draw(std::optional<Chart> chart) {
    if (chart) blocks_.emplace_back(*std::move(chart));
  }

  /// Another section's content after this one's.
  void append(Section other);

  /// What the section's own template shows besides.
  void set(const char* name, nlohmann::json words) { words_[name] = std::move(words); }

  void add(SectionItem item) { items_.push_back(std::move(item)); }

  /// There is something here that a reader must not miss: the navigation says so, by the class of
  /// its badge ("critical", "warning"). Of several the gravest counts.
  void flag_issue(std::string_view css) {
    if (issue_ != "critical") issue_ = css;
  }

  bool has_issue() const { return !issue_.empty(); }

  /// The page is about this: it is open at first, whatever it says.
  void lead() { leads_ = true; }

  bool leads() const { return leads_; }

  const std::string& issue() const { return issue_; }

  /// More than a note on what is missing.
  bool has_data() const {
    return !takeaway_.empty() || !blocks_.empty() || !items_.empty() || !words_.empty();
  }

  bool empty() const { return !has_data() && notes_.empty(); }

  const std::string& takeaway() const { return takeaway_; }

  /// For the heading of the chapter that says it in the section's place.
  std::string take_takeaway() { return std::exchange(takeaway_, {}); }

  const std::vector<std::string>& notes() const { return notes_; }

  const nlohmann::json& words() const { return words_; }

  std::vector<Block>& blocks() { return blocks_; }

  const std::vector<Block>& blocks() const { return blocks_; }

  std::vector<SectionItem>& items() { return items_; }

  const std::vector<SectionItem>& items() const { return items_; }

private:
  std::string takeaway_;
  std::vector<std::string> notes_;
  std::vector<Block> blocks_;
  std::vector<SectionItem> items_;
  nlohmann::json words_ = nlohmann::json::object();
  bool leads_ = false;
  std::string issue_; ///< empty: none
};

/// A section without data.
Section missing(std::string_view note);

/// How many rows of a long table are shown before the rest is folded away.
inline constexpr std::size_t kRowsShown = 25;

} // namespace debrief::render
