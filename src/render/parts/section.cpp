#include "render/parts/section.h"

#include "render/parts/format.h"

#include <iterator>

namespace debrief::render {

void Section::say(std::string_view sentence) {
  if (sentence.empty()) return;
  if (!takeaway_.empty()) takeaway_ += ' ';
  takeaway_ += keep_units_together(sentence);
}

void Section::show(const Table& table, std::size_t shown, std::string_view noun) {
  for (TableView& part : table.folded(shown, noun))
    blocks_.emplace_back(std::move(part));
}

void Section::append(Section other) {
  if (!other.takeaway_.empty()) blocks_.emplace_back(Paragraph{"take-away", other.takeaway_});
  for (std::string& note : other.notes_)
    blocks_.emplace_back(Paragraph{"note", std::move(note)});
  std::move(other.blocks_.begin(), other.blocks_.end(), std::back_inserter(blocks_));
}

Section missing(std::string_view note) {
  Section section;
  section.note(note);
  return section;
}

} // namespace debrief::render
