#include "render/page/view.h"

#include "render/parts/format.h"
#include "util/parallel.h"
#include "util/text.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace debrief::render {

namespace {

using nlohmann::json;

MadeSection* find_with_data(std::vector<MadeSection>& sections, std::string_view id) {
  return const_cast<MadeSection*>(find_with_data(std::as_const(sections), id));
}

/// An item leads to the section that it names under "see", if the page has it with data. The
/// navigation marks the sections of findings that call for action, and no others: what a rule
/// counts is no verdict.
void link_items(std::vector<MadeSection>& sections) {
  for (MadeSection& section : sections)
    for (SectionItem& item : section.content.items()) {
      const auto see = item.words.find("see");
      if (see == item.words.end()) continue;
      MadeSection* found = find_with_data(sections, see->get_ref<const std::string&>());
      if (found != nullptr && !item.words.value("small", true))
        found->content.flag_issue(item.words["class"].get_ref<const std::string&>());
      item.words["section"] = found == nullptr
                                  ? json(nullptr)
                                  : json{{"id", found->spec->id}, {"text", found->spec->heading}};
    }
}

/// One item for each section without data, at its address.
Section not_recorded(const std::vector<MadeSection>& sections) {
  Section out;
  std::vector<std::string> names;
  for (const MadeSection& section : sections) {
    const SectionSpec& spec = *section.spec;
    names.push_back(names.empty() ? spec.heading : lowered(spec.heading));
    std::string why;
    for (const std::string& note : section.content.notes())
      why += (why.empty() ? "" : " ") + note;
    out.add({{{"id", spec.id},
              {"old_id", spec.old_id == nullptr ? json(nullptr) : json(spec.old_id)},
              {"name", spec.heading},
              {"why", std::move(why)}},
             {}});
  }
  out.say(join_and(names) + (names.size() == 1 ? " has no data." : " have no data."));
  return out;
}

} // namespace

bool opens_at_first(const MadeSection& section) {
  const Chapter chapter = section.spec->chapter;
  return chapter == Chapter::gate || chapter == Chapter::findings || chapter == Chapter::timeline ||
         section.content.has_issue() || section.content.leads();
}

const MadeSection* find_with_data(const std::vector<MadeSection>& sections, std::string_view id) {
  const auto found =
      std::find_if(sections.begin(), sections.end(), [id](const MadeSection& section) {
        return section.spec->id == id && section.content.has_data();
      });
  return found == sections.end() ? nullptr : &*found;
}

std::vector<MadeSection> make_sections(const result::Result& result) {
  const auto specs = report_sections();
  std::vector<std::optional<Section>> contents(specs.size());
  parallel_for(specs.size(), [&](std::size_t at) { contents[at] = specs[at]->make(result); });
  std::vector<MadeSection> out;
  std::vector<MadeSection> without;
  for (std::size_t at = 0; at < specs.size(); ++at) {
    if (!contents[at]) continue;
    (contents[at]->has_data() ? out : without).push_back({specs[at], *std::move(contents[at])});
  }
  if (!without.empty()) {
    const auto place = std::find_if(out.begin(), out.end(), [](const MadeSection& section) {
      return section.spec == &kDataQualitySection;
    });
    out.insert(place, {&kNotRecordedSection, not_recorded(without)});
  }
  link_items(out);
  return out;
}

} // namespace debrief::render
