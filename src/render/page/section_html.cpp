#include "render/page/section_html.h"

#include "render/page/environment.h"
#include "render/parts/format.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>
#include <variant>

namespace debrief::render {

namespace {

using nlohmann::json;

/// More would not fit into five of twelve columns.
constexpr std::size_t kColumnsBeside = 4;

json block_view(Paragraph& paragraph, Placeholders& /*placeholders*/) {
  return {{"kind", "paragraph"}, {"class", paragraph.css}, {"text", std::move(paragraph.text)}};
}

json block_view(Chart& chart, Placeholders& placeholders) {
  json entries = json::array();
  for (const LegendEntry& entry : chart.legend)
    entries.push_back({{"key", entry.key},
                       {"words", entry.words},
                       {"fill", entry.color.light},
                       {"class", entry.color.name}});
  return {{"kind", "chart"},
          {"caption", std::move(chart.caption)},
          {"svg", placeholders.keep(chart.svg + chart.phone)},
          {"curves", text_or_null(chart.curves)},
          {"zooms", chart.zooms},
          {"small", !chart.group.empty()},
          {"legend", std::move(entries)}};
}

/// "+3 columns"; null: none.
json more_columns(std::size_t count) {
  return count == 0 ? json(nullptr)
                    : json("+" + plural(static_cast<std::int64_t>(count), "column"));
}

/// Classes by which CSS hides columns: "n3" on a phone, "w3" in a window that is not wide.
std::string column_classes(const TableView& table) {
  std::string out;
  for (const std::size_t place : table.not_narrow)
    out += fmt::format(" w{}", place);
  for (const std::size_t place : table.not_phone)
    out += fmt::format(" n{}", place);
  return out;
}

json block_view(TableView& table, Placeholders& placeholders) {
  json columns = json::array();
  for (TableView::Head& head : table.columns)
    columns.push_back({{"name", std::move(head.name)},
                       {"key", text_or_null(head.key)},
                       {"class", head.css},
                       {"unit", text_or_null(head.unit)}});
  return {{"kind", "table"},
          {"id", text_or_null(table.id)},
          {"caption", std::move(table.caption)},
          {"class", table.css + column_classes(table)},
          {"more_columns", more_columns(table.not_narrow.size())},
          {"more_on_phone", more_columns(table.not_phone.size())},
          {"summary", text_or_null(table.summary)},
          {"columns", std::move(columns)},
          {"rows", placeholders.keep(std::move(table.rows))}};
}

/// Whether a table stands next to the chart before it where there is room for both.
bool fits_beside(const Block& block) {
  const auto* table = std::get_if<TableView>(&block);
  const auto is_wide = [](const TableView::Head& head) {
    return std::string_view{head.css} == "words" || std::string_view{head.css} == "drawing";
  };
  return table != nullptr && table->summary.empty() && table->columns.size() <= kColumnsBeside &&
         std::none_of(table->columns.begin(), table->columns.end(), is_wide);
}

/// A chart and the table of its numbers are a pair: they stand side by side in a wide window. Two
/// charts are one, too. The rest of a table stays with it.
json blocks_view(std::vector<Block>& blocks, Placeholders& placeholders) {
  json out = json::array();
  for (Block& block : blocks)
    out.push_back(
        std::visit([&](auto& content) { return block_view(content, placeholders); }, block));
  const auto group_of = [&](std::size_t at) {
    const auto* chart = at < blocks.size() ? std::get_if<Chart>(&blocks[at]) : nullptr;
    return chart == nullptr ? std::string_view{} : std::string_view{chart->group};
  };
  for (std::size_t at = 0; at < blocks.size(); ++at) {
    const std::string_view group = group_of(at);
    if (group.empty()) continue;
    if (at == 0 || group_of(at - 1) != group) out[at]["opens_group"] = group;
    if (group_of(at + 1) != group) out[at]["closes_group"] = true;
  }
  for (std::size_t at = 0; at + 1 < blocks.size(); ++at) {
    if (!std::holds_alternative<Chart>(blocks[at]) || !group_of(at).empty()) continue;
    const bool charts = std::holds_alternative<Chart>(blocks[at + 1]) && group_of(at + 1).empty();
    const bool has_own_table = at + 2 < blocks.size() && fits_beside(blocks[at + 2]);
    if (!fits_beside(blocks[at + 1]) && !(charts && !has_own_table)) continue;
    out[at]["opens_pair"] = charts ? "pair charts" : "pair";
    std::size_t last = at + 1;
    if (const auto* rest =
            last + 1 < blocks.size() ? std::get_if<TableView>(&blocks[last + 1]) : nullptr;
        !charts && rest != nullptr && rest->id.empty())
      ++last;
    out[at + 1]["opens_side"] = true;
    out[last]["closes_pair"] = true;
    at = last;
  }
  for (json& block : out)
    for (const char* name :
         {"opens_pair", "opens_side", "closes_pair", "opens_group", "closes_group"})
      if (!block.contains(name)) block[name] = nullptr;
  return out;
}

/// "Show 1 chart and 2 tables", unless the section has words of its own; empty: there are none.
std::string fold_words(const Section& content) {
  if (const auto own = content.words().find("fold"); own != content.words().end())
    return own->get<std::string>();
  std::int64_t charts = 0;
  std::int64_t tables = 0;
  const auto count = [&](const std::vector<Block>& blocks) {
    for (const Block& block : blocks) {
      charts += std::holds_alternative<Chart>(block) ? 1 : 0;
      tables += std::holds_alternative<TableView>(block) ? 1 : 0;
    }
  };
  count(content.blocks());
  for (const SectionItem& item : content.items())
    count(item.blocks);
  std::vector<std::string> parts;
  if (charts > 0) parts.push_back(plural(charts, "chart"));
  if (tables > 0) parts.push_back(plural(tables, "table"));
  return parts.empty() ? "" : "Show " + join_and(parts);
}

} // namespace

json text_or_null(std::string_view text) {
  return text.empty() ? json(nullptr) : json(text);
}

std::string section_html(const SectionFrame& frame, Section content, Placeholders& placeholders) {
  json view = content.words();
  view["id"] = frame.id;
  view["old_id"] = frame.old_id == nullptr ? json(nullptr) : json(frame.old_id);
  view["heading"] = frame.heading;
  view["how_to_read"] = frame.how_to_read == nullptr ? json(nullptr) : json(frame.how_to_read);
  view["how_computed"] = frame.how_computed == nullptr ? json(nullptr) : json(frame.how_computed);
  view["folded"] = frame.folded ? text_or_null(fold_words(content)) : json(nullptr);
  view["take_away"] = text_or_null(content.takeaway());
  view["notes"] = content.notes();
  view["blocks"] = blocks_view(content.blocks(), placeholders);
  json items = json::array();
  for (SectionItem& item : content.items()) {
    json words = std::move(item.words);
    words["blocks"] = blocks_view(item.blocks, placeholders);
    items.push_back(std::move(words));
  }
  view["items"] = std::move(items);
  std::string html = render_template(frame.body, view);
  if (frame.place == SectionFrame::Place::whole_chapter) return html;
  view["in_chapter"] = frame.place == SectionFrame::Place::chapter;
  return render_around("parts/section_frame.html", view, html);
}

std::string SectionList::page(const char* name, json view, const char* group) && {
  std::string sections;
  view["group"] = group;
  view["links"] = json::array();
  for (auto& [frame, content] : sections_) {
    view["links"].push_back({{"id", frame.id}, {"heading", frame.heading}});
    sections += section_html(frame, std::move(content), placeholders_);
  }
  return placeholders_.fill(render_page(name, std::move(view), sections));
}

} // namespace debrief::render
