// Reads a drawing back: its marks as attributes, so that tests can ask where they lie.
#pragma once

#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

namespace debrief {

struct Element {
  std::string name;
  std::map<std::string, std::string> attributes;
  std::string key; ///< of the legend's part it is in
  std::string tip; ///< of its own, or of the group it is in
  std::string text;

  double at(const std::string& attribute) const { return std::stod(attributes.at(attribute)); }

  bool has_class(const std::string& name_of) const {
    const auto found = attributes.find("class");
    return found != attributes.end() && found->second.ends_with(' ' + name_of);
  }
};

/// Every mark and text, in order, with `tip` and `key` of the groups around it.
inline std::vector<Element> elements(const std::string& svg) {
  static const std::regex kTag(R"(<(/?)([a-z]+)((?: [a-z0-9-]+="[^"]*")*)(/?)>([^<]*))");
  static const std::regex kAttribute(R"re( ([a-zA-Z0-9-]+)="([^"]*)")re");

  struct Open {
    Element element;
    std::size_t index; ///< in out; npos for groups
  };

  constexpr auto kGroup = static_cast<std::size_t>(-1);
  std::vector<Element> out;
  std::vector<Open> open;
  const std::string body = svg.substr(svg.find('>') + 1); // without the drawing's own tag
  for (std::sregex_iterator tag(body.begin(), body.end(), kTag), end; tag != end; ++tag) {
    const std::string name = (*tag)[2];
    if ((*tag)[1] == "/") {
      if (name != "title" && name != "svg" && !open.empty()) open.pop_back();
      continue;
    }
    if (name == "title") {
      open.back().element.tip = (*tag)[5];
      if (open.back().index != kGroup) out[open.back().index].tip = (*tag)[5];
      continue;
    }
    Element element;
    element.name = name;
    element.text = (*tag)[5];
    if (!open.empty()) {
      element.key = open.back().element.key;
      element.tip = open.back().element.tip;
    }
    const std::string attributes = (*tag)[3];
    for (std::sregex_iterator found(attributes.begin(), attributes.end(), kAttribute); found != end;
         ++found)
      element.attributes[(*found)[1]] = (*found)[2];
    if (const auto key = element.attributes.find("data-key"); key != element.attributes.end())
      element.key = key->second;
    const bool group = name == "g";
    if (!group) out.push_back(element);
    if ((*tag)[4] != "/") open.push_back({element, group ? kGroup : out.size() - 1});
  }
  return out;
}

/// The rectangles of a color, "c-s0".
inline std::vector<Element> rectangles(const std::string& svg, const std::string& color) {
  std::vector<Element> out;
  for (const Element& element : elements(svg))
    if (element.name == "rect" && element.has_class(color)) out.push_back(element);
  return out;
}

inline std::vector<std::string> texts(const std::string& svg) {
  std::vector<std::string> out;
  for (const Element& element : elements(svg))
    if (element.name == "text") out.push_back(element.text);
  return out;
}

} // namespace debrief
