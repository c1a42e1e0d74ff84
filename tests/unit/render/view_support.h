// What tests of views ask of a section.
#pragma once

#include <nlohmann/json.hpp>

#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace debrief {

/// With plain spaces.
inline std::string take_away(const nlohmann::json& section) {
  if (section["take_away"].is_null()) return "";
  std::string text = section["take_away"];
  for (std::size_t at = text.find("\u00A0"); at != text.npos; at = text.find("\u00A0"))
    text.replace(at, 2, " ");
  return text;
}

/// The section's one line where it has no data.
inline std::string only_note(const nlohmann::json& section) {
  if (!section["take_away"].is_null() || !section["blocks"].empty() || section["notes"].size() != 1)
    throw std::logic_error("the section says more than one line");
  return section["notes"][0];
}

/// The drawings or tables of a section, in order: `kind` is "figure" or "table".
inline std::vector<nlohmann::json> blocks(const nlohmann::json& section, std::string_view kind) {
  std::vector<nlohmann::json> out;
  for (const auto& block : section["blocks"])
    if (block["kind"] == kind) out.push_back(block);
  return out;
}

/// The text under a head in a row of the table whose caption begins so.
inline std::string cell(const nlohmann::json& section, std::string_view caption, std::size_t row,
                        std::string_view head) {
  for (const auto& table : blocks(section, "table")) {
    if (!table["caption"].get<std::string>().starts_with(caption)) continue;
    for (std::size_t at = 0; at < table["columns"].size(); ++at)
      if (table["columns"][at]["name"] == head) return table["rows"].at(row)[at]["text"];
  }
  return "no such cell";
}

inline bool has_note(const nlohmann::json& section, std::string_view part) {
  for (const auto& note : section["notes"])
    if (note.get<std::string>().find(part) != std::string::npos) return true;
  return false;
}

} // namespace debrief
