// What a section of the page says: a take-away in sentences, notes, then drawings and tables in the
// order in which they were added. A section without data has one note that tells what is missing
// and how to record it.
#pragma once

#include "render/parts/chart.h"
#include "render/parts/table.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::render {

class Section {
public:
  /// Adds a sentence to the take-away.
  void say(std::string_view sentence);

  void note(std::string_view note) { notes_.emplace_back(note); }

  void show(const Table& table) { blocks_.push_back(table.view()); }

  /// The first rows, and the rest folded away.
  void show(const Table& table, std::size_t shown, std::string_view noun);

  /// A table that is ready, for one that is folded away as a whole.
  void show(nlohmann::json table) { blocks_.push_back(std::move(table)); }

  void draw(const Figure& figure) { blocks_.push_back(figure.view()); }

  /// Nothing where there is nothing to draw.
  void draw(const std::optional<Figure>& figure) {
    if (figure) draw(*figure);
  }

  bool empty() const { return take_away_.empty() && notes_.empty() && blocks_.empty(); }

  /// As templates/parts/body.html wants it.
  nlohmann::json view() const;

private:
  std::string take_away_;
  std::vector<std::string> notes_;
  std::vector<nlohmann::json> blocks_;
};

/// A section without data.
nlohmann::json missing(std::string_view note);

/// How many rows of a long table are shown before the rest is folded away.
inline constexpr std::size_t kRowsShown = 25;

} // namespace debrief::render
