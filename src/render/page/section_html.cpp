#include "render/page/section_html.h"

#include "render/page/environment.h"
#include "render/parts/format.h"

#include <utility>
#include <variant>

namespace debrief::render {

namespace {

using nlohmann::json;

/// An empty text would count as one.
json text_or_null(std::string_view text) {
  return text.empty() ? json(nullptr) : json(text);
}

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
          {"svg", placeholders.keep(std::move(chart.svg))},
          {"legend", std::move(entries)}};
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
          {"class", std::move(table.css)},
          {"summary", text_or_null(table.summary)},
          {"columns", std::move(columns)},
          {"rows", placeholders.keep(std::move(table.rows))}};
}

json blocks_view(std::vector<Block>& blocks, Placeholders& placeholders) {
  json out = json::array();
  for (Block& block : blocks)
    out.push_back(
        std::visit([&](auto& content) { return block_view(content, placeholders); }, block));
  return out;
}

/// "Show 1 chart and 2 tables"; empty: there are none.
std::string fold_words(Section& content) {
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
  return render_template(frame.body, view);
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
