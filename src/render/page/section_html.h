// A section as HTML: its content, and the words around it, put into its template.
#pragma once

#include "render/page/placeholders.h"
#include "render/parts/section.h"

#include <nlohmann/json.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace debrief::render {

/// What a page says around a section's content.
struct SectionFrame {
  std::string id;
  std::string heading;
  const char* how_to_read = nullptr;
  const char* how_computed = nullptr;
  const char* body = "parts/section.html"; ///< the template
  const char* old_id = nullptr;            ///< an address that it had before, and still has
  bool folded = false; ///< charts and tables are folded away; takeaway and notes are not
  /// Where it stands: a heading of the page, one within a chapter, or all of a chapter, which then
  /// has the heading.
  enum class Place { page, chapter, whole_chapter } place = Place::page;
};

/// For a template, to which an empty text would count as one.
nlohmann::json text_or_null(std::string_view text);

/// Charts and rows of tables go into the placeholders.
std::string section_html(const SectionFrame& frame, Section content, Placeholders& placeholders);

/// A page of some sections: of a comparison, of a list of jobs.
class SectionList {
public:
  void add(SectionFrame frame, Section content) {
    sections_.emplace_back(std::move(frame), std::move(content));
  }

  /// For drawings in the page's head.
  Placeholders& placeholders() { return placeholders_; }

  /// The page that a template makes of a view, with the sections in it and links to them. `group`
  /// is what the navigation calls them all.
  std::string page(const char* name, nlohmann::json view, const char* group) &&;

private:
  std::vector<std::pair<SectionFrame, Section>> sections_;
  Placeholders placeholders_;
};

} // namespace debrief::render
