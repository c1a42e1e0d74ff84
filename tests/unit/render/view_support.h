// What tests of sections ask of them: a section as plain data, with its tables' rows read back from
// the HTML that a reader gets.
#pragma once

#include "render/sections/sections.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace debrief {

namespace html {

inline std::string unescaped(std::string text) {
  constexpr std::array<std::pair<std::string_view, const char*>, 5> kEntities = {
      {{"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&#39;", "'"}, {"&amp;", "&"}}};
  for (const auto& [entity, character] : kEntities)
    for (std::size_t at = text.find(entity); at != text.npos; at = text.find(entity, at + 1))
      text.replace(at, entity.size(), character);
  return text;
}

/// The content without its elements, and without the space before it.
inline std::string text_of(std::string_view content) {
  std::string out;
  bool inside = false;
  for (const char c : content) {
    if (c == '<') inside = true;
    if (!inside) out += c;
    if (c == '>') inside = false;
  }
  return unescaped(out.substr(std::min(out.find_first_not_of(' '), out.size())));
}

inline std::optional<std::string> attribute(std::string_view element, const std::string& name) {
  const std::string open = ' ' + name + "=\"";
  const std::size_t at = element.find(open);
  if (at == element.npos) return std::nullopt;
  const std::size_t from = at + open.size();
  return unescaped(std::string{element.substr(from, element.find('"', from) - from)});
}

/// {text, class} of a cell, and as far as it has them raw, title, note and bar.
inline nlohmann::json cell_of(std::string_view cell) {
  const std::string_view tag = cell.substr(0, cell.find('>') + 1);
  nlohmann::json out;
  out["class"] = tag.starts_with("<th") ? "head" : attribute(tag, "class").value_or("number");
  for (const auto& [key, name] : {std::pair{"raw", "data-raw"}, std::pair{"title", "title"},
                                  std::pair{"note", "data-bar"}, std::pair{"key", "data-key"}})
    if (const auto value = attribute(tag, name)) out[key] = *value;
  out["text"] = attribute(cell, "aria-label").value_or(text_of(cell));
  constexpr std::string_view kMark = "<rect x=";
  for (std::size_t at = cell.find(kMark); at != cell.npos; at = cell.find(kMark, at + 1)) {
    const std::string_view mark = cell.substr(at, cell.find('>', at) - at);
    out["bar"].push_back({{"x", attribute(mark, "x").value()},
                          {"width", attribute(mark, "width").value()},
                          {"class", attribute(mark, "class").value()}});
  }
  return out;
}

inline nlohmann::json rows_of(std::string_view html) {
  nlohmann::json rows = nlohmann::json::array();
  while (!html.empty()) {
    std::string_view row = html.substr(0, html.find("</tr>"));
    html.remove_prefix(row.size() + std::string_view{"</tr>\n"}.size());
    nlohmann::json cells = nlohmann::json::array();
    const auto next = [&](std::size_t from) { // drawings in cells have titles of their own
      return std::min(row.find("<td", from), row.find("<th", from));
    };
    for (std::size_t at = next(1); at != row.npos; at = next(at + 1))
      cells.push_back(
          cell_of(row.substr(at, std::min(row.find("</th>", at), row.find("</td>", at)) - at)));
    rows.push_back(std::move(cells));
  }
  return rows;
}

} // namespace html

inline nlohmann::json view_of(const render::Paragraph& paragraph) {
  return {{"kind", paragraph.css}, {"text", paragraph.text}};
}

inline nlohmann::json view_of(const render::Chart& chart) {
  nlohmann::json legend = nlohmann::json::array();
  for (const render::LegendEntry& entry : chart.legend)
    legend.push_back({{"key", entry.key}, {"words", entry.words}});
  return {{"kind", "chart"},  {"caption", chart.caption}, {"svg", chart.svg},
          {"legend", legend}, {"group", chart.group},     {"curves", chart.curves}};
}

inline nlohmann::json view_of(const render::TableView& table) {
  nlohmann::json columns = nlohmann::json::array();
  for (const render::TableView::Head& head : table.columns)
    columns.push_back({{"name", head.name}, {"key", head.key}, {"class", head.css}});
  return {{"kind", "table"},
          {"id", table.id},
          {"caption", table.caption},
          {"summary", table.summary},
          {"columns", std::move(columns)},
          {"rows", html::rows_of(table.rows)}};
}

inline nlohmann::json view_of(const std::vector<render::Block>& blocks) {
  nlohmann::json out = nlohmann::json::array();
  for (const render::Block& block : blocks)
    out.push_back(std::visit([](const auto& content) { return view_of(content); }, block));
  return out;
}

/// No-break spaces become plain ones: tests of formats look at those.
inline nlohmann::json with_plain_spaces(nlohmann::json view) {
  if (view.is_string()) {
    std::string text = view;
    for (std::size_t at = text.find("\u00A0"); at != text.npos; at = text.find("\u00A0"))
      text.replace(at, 2, " ");
    return text;
  }
  if (view.is_structured())
    for (auto& part : view)
      part = with_plain_spaces(std::move(part));
  return view;
}

/// {take_away, notes, blocks, items} and the words of its own.
inline nlohmann::json view_of(const render::Section& section) {
  nlohmann::json view = section.words();
  view["take_away"] = section.takeaway();
  view["notes"] = section.notes();
  view["blocks"] = view_of(section.blocks());
  view["items"] = nlohmann::json::array();
  for (const render::SectionItem& item : section.items()) {
    view["items"].push_back(item.words);
    view["items"].back()["blocks"] = view_of(item.blocks);
  }
  return with_plain_spaces(std::move(view));
}

/// Null if the page does not have the section.
inline nlohmann::json view_of(const render::SectionSpec& spec, const result::Result& result) {
  const std::optional<render::Section> section = spec.make(result);
  return section ? view_of(*section) : nlohmann::json(nullptr);
}

inline nlohmann::json view_of(const render::SectionSpec& spec, const result::Traces& traces) {
  result::Result result;
  result.traces = traces;
  return view_of(spec, result);
}

inline std::string take_away(const nlohmann::json& section) {
  return section["take_away"];
}

/// The section's one line if it has no data.
inline std::string only_note(const nlohmann::json& section) {
  if (section["take_away"] != "" || !section["blocks"].empty() || section["notes"].size() != 1)
    throw std::logic_error("the section says more than one line");
  return section["notes"][0];
}

/// The charts or tables of a section, in order: `kind` is "chart" or "table".
inline std::vector<nlohmann::json> blocks(const nlohmann::json& section, std::string_view kind) {
  std::vector<nlohmann::json> out;
  for (const auto& block : section["blocks"])
    if (block["kind"] == kind) out.push_back(block);
  return out;
}

/// Of a section's charts, in their order.
inline std::vector<std::string> captions(const nlohmann::json& section) {
  std::vector<std::string> out;
  for (const nlohmann::json& chart : blocks(section, "chart"))
    out.push_back(chart["caption"]);
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
