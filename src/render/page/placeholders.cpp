#include "render/page/placeholders.h"

#include "render/page/embedded.h"

#include <fmt/format.h>

#include <charconv>
#include <stdexcept>
#include <utility>

namespace debrief::render {

namespace {

/// Calls `take` for each piece of the page that results.
template <typename PiecesOf, typename Take>
void for_each_piece(std::string_view html, const PiecesOf& pieces_of, const Take& take) {
  constexpr std::string_view kOpen = "<!--";
  constexpr std::string_view kClose = "-->";
  std::size_t done = 0;
  for (std::size_t at = html.find(kOpen); at != html.npos; at = html.find(kOpen, done)) {
    take(html.substr(done, at - done));
    const std::size_t name = at + kOpen.size();
    const std::size_t end = html.find(kClose, name);
    if (end == html.npos) throw std::logic_error("a placeholder of the page is not closed");
    for (const std::string& piece : pieces_of(html.substr(name, end - name)))
      take(piece);
    done = end + kClose.size();
  }
  take(html.substr(done));
}

} // namespace

Placeholders::Placeholders()
    : named_{{"script", {std::string{embedded_script()}}},
             {"style", {std::string{embedded_style()}}}} {}

std::size_t Placeholders::keep(std::string html) {
  numbered_.push_back(std::move(html));
  return numbered_.size() - 1;
}

std::span<const std::string> Placeholders::pieces_of(std::string_view name) const {
  if (const auto named = named_.find(name); named != named_.end()) return named->second;
  std::size_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  if (error != std::errc{} || end != name.data() + name.size() || number >= numbered_.size())
    throw std::logic_error(fmt::format("a page has an unknown placeholder '{}'", name));
  return {&numbered_[number], 1};
}

std::size_t Placeholders::filled_size(std::string_view html) const {
  std::size_t size = 0;
  for_each_piece(
      html, [&](std::string_view name) { return pieces_of(name); },
      [&](std::string_view piece) { size += piece.size(); });
  return size;
}

std::string Placeholders::fill(std::string_view html) const {
  std::string out;
  out.reserve(filled_size(html));
  for_each_piece(
      html, [&](std::string_view name) { return pieces_of(name); },
      [&](std::string_view piece) { out += piece; });
  return out;
}

} // namespace debrief::render
