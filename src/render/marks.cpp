#include "render/marks.h"

#include <stdexcept>

namespace debrief::render {

namespace {

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

std::vector<std::string> take_drawings(nlohmann::json& view) {
  std::vector<std::string> drawings;
  const std::function<void(nlohmann::json&)> visit = [&](nlohmann::json& value) {
    if (value.is_object())
      if (const auto svg = value.find("svg"); svg != value.end() && svg->is_string()) {
        drawings.push_back(std::move(svg->get_ref<std::string&>()));
        *svg = drawings.size() - 1;
      }
    if (value.is_structured())
      for (nlohmann::json& part : value)
        visit(part);
  };
  visit(view);
  return drawings;
}

} // namespace debrief::render
