#include "render/parts/table_rows.h"

#include "chart/svg.h"

#include <fmt/format.h>

#include <iterator>
#include <string_view>

namespace debrief::render {

namespace {

using chart::escaped;
using nlohmann::json;

/// What the cell has under a key; null where it has nothing.
const json* find(const json& cell, const char* key) {
  const auto found = cell.find(key);
  return found == cell.end() || found->is_null() ? nullptr : &*found;
}

std::string_view text_of(const json& cell, const char* key) {
  return cell.at(key).get_ref<const std::string&>();
}

/// ` data-raw="12"`; nothing where the cell has no such text.
std::string attribute(const json& cell, const char* key, std::string_view name) {
  const json* value = find(cell, key);
  return value == nullptr
             ? std::string{}
             : fmt::format("{}=\"{}\" ", name, escaped(value->get_ref<const std::string&>()));
}

void add_head(std::string& out, const json& cell) {
  const std::string text = escaped(text_of(cell, "text"));
  fmt::format_to(std::back_inserter(out), R"(<th {}{}scope="row"><span class="name">)",
                 attribute(cell, "title", "title"), attribute(cell, "note", "data-bar"));
  if (const json* link = find(cell, "link"))
    fmt::format_to(std::back_inserter(out), R"(<a href="{}">{}</a>)",
                   escaped(link->get_ref<const std::string&>()), text);
  else
    out += text;
  out += "</span></th>";
}

void add_bar(std::string& out, const json& cell, const json& marks) {
  fmt::format_to(std::back_inserter(out),
                 R"(<td class="drawing"><svg viewBox="0 0 100 10" width="120" height="12" )"
                 R"(role="img" aria-label="{}"><rect y="4.5" width="100" height="1" )"
                 R"(fill="#dde1e6" class="scale"/>)",
                 escaped(text_of(cell, "text")));
  for (const json& mark : marks)
    fmt::format_to(std::back_inserter(out),
                   R"(<rect x="{}" y="2" width="{}" height="6" fill="{}" class="{}"/>)",
                   text_of(mark, "x"), text_of(mark, "width"), text_of(mark, "fill"),
                   text_of(mark, "class"));
  out += "</svg></td>";
}

/// A word with its shape, as templates/parts/standing.html has them.
void add_standing(std::string& out, const json& cell, const json& mark) {
  fmt::format_to(std::back_inserter(out),
                 R"(<td {}class="{} {}"><svg viewBox="0 0 16 16" width="14" height="14" )"
                 R"(aria-hidden="true"><path d="{}" fill="{}" fill-rule="evenodd" class="f"/>)"
                 R"(</svg> <span class="word">{}</span></td>)",
                 attribute(cell, "order", "data-order"), text_of(cell, "class"),
                 text_of(mark, "class"), text_of(mark, "path"), text_of(mark, "fill"),
                 escaped(text_of(cell, "text")));
}

void add_cell(std::string& out, const json& cell) {
  if (text_of(cell, "class") == "head") return add_head(out, cell);
  if (const json* marks = find(cell, "bar")) return add_bar(out, cell, *marks);
  if (const json* mark = find(cell, "standing")) return add_standing(out, cell, *mark);
  fmt::format_to(std::back_inserter(out), R"(<td {}class="{}">{}</td>)",
                 attribute(cell, "raw", "data-raw"), text_of(cell, "class"),
                 escaped(text_of(cell, "text")));
}

} // namespace

std::string table_rows(const json& rows) {
  std::string out;
  for (const json& row : rows) {
    out += "<tr>";
    for (const json& cell : row)
      add_cell(out, cell);
    out += "</tr>\n";
  }
  return out;
}

} // namespace debrief::render
