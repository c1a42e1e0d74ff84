#include "render/page/placeholders.h"

#include "render/page/embedded.h"
#include "render/parts/table_rows.h"

#include <fmt/format.h>

#include <stdexcept>

namespace debrief::render {

namespace {

using nlohmann::json;

/// Calls `take` for each piece of the text that results.
template <typename Take>
void for_each_piece(std::string_view html, const Filling& filling, const Take& take) {
  constexpr std::string_view kOpen = "<!--";
  constexpr std::string_view kClose = "-->";
  std::size_t done = 0;
  for (std::size_t at = html.find(kOpen); at != html.npos; at = html.find(kOpen, done)) {
    take(html.substr(done, at - done));
    const std::size_t name = at + kOpen.size();
    const std::size_t end = html.find(kClose, name);
    if (end == html.npos) throw std::logic_error("a mark of the page is not closed");
    take(filling(html.substr(name, end - name)));
    done = end + kClose.size();
  }
  take(html.substr(done));
}

} // namespace

std::size_t filled_size(std::string_view html, const Filling& filling) {
  std::size_t size = 0;
  for_each_piece(html, filling, [&](std::string_view piece) { size += piece.size(); });
  return size;
}

std::string fill_marks(std::string_view html, const Filling& filling) {
  std::string out;
  out.reserve(filled_size(html, filling));
  for_each_piece(html, filling, [&](std::string_view piece) { out += piece; });
  return out;
}

Bulk::Bulk(json& view) {
  take(view);
}

void Bulk::take(json& value) {
  const auto replace = [&](json& part, std::string text) {
    texts_.push_back(std::move(text));
    part = texts_.size() - 1;
  };
  if (value.is_object()) {
    if (const auto svg = value.find("svg"); svg != value.end() && svg->is_string())
      replace(*svg, std::move(svg->get_ref<std::string&>()));
    if (const auto rows = value.find("rows"); rows != value.end() && rows->is_array())
      replace(*rows, table_rows(*rows));
  }
  if (value.is_structured())
    for (json& part : value)
      take(part);
}

std::string_view Bulk::operator()(std::string_view mark) const {
  if (mark == "style") return embedded_style();
  if (mark == "script") return embedded_script();
  for (const std::string_view kind : {"drawing ", "rows "})
    if (mark.starts_with(kind)) return texts_.at(std::stoul(std::string{mark.substr(kind.size())}));
  throw std::logic_error(fmt::format("a page has an unknown mark '{}'", mark));
}

} // namespace debrief::render
