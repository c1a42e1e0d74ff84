#include "render/page/chapters.h"

#include "render/page/environment.h"
#include "render/page/section_html.h"
#include "render/parts/format.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <utility>

namespace debrief::render {

namespace {

using nlohmann::json;

/// Calls back with the sections of each chapter.
template <typename Sections, typename Visit>
void for_each_chapter(Sections& sections, const Visit& visit) {
  for (auto first = sections.begin(); first != sections.end();) {
    const Chapter chapter = first->spec->chapter;
    const auto last = std::find_if(first, sections.end(), [chapter](const MadeSection& section) {
      return section.spec->chapter != chapter;
    });
    visit(words_of(chapter), std::span{first, last});
    first = last;
  }
}

bool is_whole_chapter(const MadeSection& section) {
  return std::string_view{section.spec->id} == words_of(section.spec->chapter).id;
}

/// The gravest of its sections' issues, as the class of a badge; empty: none.
std::string issue_of(std::span<const MadeSection> sections) {
  std::string issue;
  for (const MadeSection& section : sections)
    if (section.content.has_issue() && issue != "critical") issue = section.content.issue();
  return issue;
}

json link(const char* id, const char* text, const std::string& issue) {
  return {{"id", id},
          {"text", text},
          {"class", issue.empty() ? "plain" : "found " + issue},
          {"words", issue.empty() ? "" : " (issue found)"}};
}

bool is_open(std::span<const MadeSection> sections) {
  return std::any_of(sections.begin(), sections.end(), opens_at_first);
}

/// "Steps · Step breakdown · One step"; null where the chapter is its only section.
json contents_of(std::span<const MadeSection> sections) {
  if (is_whole_chapter(sections.front())) return nullptr;
  std::string out;
  for (const MadeSection& section : sections)
    out += (out.empty() ? "" : " · ") + std::string{section.spec->heading};
  return out;
}

/// What a closed chapter says is what its first section does: once, at the top.
std::string take_result(std::span<MadeSection> sections) {
  const auto first = std::find_if(sections.begin(), sections.end(), [](const MadeSection& section) {
    return !section.content.takeaway().empty();
  });
  return first == sections.end() ? std::string{} : first->content.take_takeaway();
}

SectionFrame frame_of(const MadeSection& section, bool in_open_chapter) {
  const SectionSpec& spec = *section.spec;
  return {.id = spec.id,
          .heading = spec.heading,
          .how_to_read = spec.how_to_read,
          .how_computed = spec.how_computed,
          .body = spec.body,
          .old_id = spec.old_id,
          .folded = in_open_chapter && !opens_at_first(section),
          .place = is_whole_chapter(section) ? SectionFrame::Place::whole_chapter
                                             : SectionFrame::Place::chapter};
}

} // namespace

json nav_view(const std::vector<MadeSection>& sections) {
  json out = json::array();
  for_each_chapter(sections, [&](ChapterWords words, std::span<const MadeSection> chapter) {
    json entry = link(words.id, words.heading, issue_of(chapter));
    entry["state"] = is_open(chapter) ? "open" : "closed";
    entry["links"] = json::array();
    for (const MadeSection& section : chapter)
      if (!is_whole_chapter(section))
        entry["links"].push_back(
            link(section.spec->id, section.spec->heading, section.content.issue()));
    out.push_back(std::move(entry));
  });
  return out;
}

std::string chapters_html(std::vector<MadeSection> sections, Placeholders& placeholders) {
  std::string out;
  for_each_chapter(sections, [&](ChapterWords words, std::span<MadeSection> chapter) {
    const bool open = is_open(chapter);
    const MadeSection& first = chapter.front();
    json view = {{"id", words.id}, {"heading", words.heading}, {"old_id", nullptr},
                 {"open", open},   {"take_away", nullptr},     {"contains", contents_of(chapter)}};
    if (is_whole_chapter(first) && first.spec->old_id != nullptr)
      view["old_id"] = first.spec->old_id;
    if (!open) view["take_away"] = text_or_null(take_result(chapter));
    std::string content;
    for (MadeSection& section : chapter) {
      const SectionFrame frame = frame_of(section, open); // reads what is moved next
      content += section_html(frame, std::move(section.content), placeholders);
    }
    out += render_around("parts/chapter.html", view, content);
  });
  return out;
}

} // namespace debrief::render
