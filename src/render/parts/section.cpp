#include "render/parts/section.h"

#include "render/parts/unbroken.h"

namespace debrief::render {

using nlohmann::json;

void Section::say(std::string_view sentence) {
  if (sentence.empty()) return;
  if (!take_away_.empty()) take_away_ += ' ';
  take_away_ += unbroken(sentence);
}

void Section::show(const Table& table, std::size_t shown, std::string_view noun) {
  for (json& part : table.folded(shown, noun))
    blocks_.push_back(std::move(part));
}

json Section::view() const {
  return {{"take_away", take_away_.empty() ? json(nullptr) : json(take_away_)},
          {"notes", notes_},
          {"blocks", blocks_}};
}

json missing(std::string_view note) {
  Section section;
  section.note(note);
  return section.view();
}

} // namespace debrief::render
