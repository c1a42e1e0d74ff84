// Reads the paths of a drawing back, so that tests can ask where they lie.
#pragma once

#include "chart/svg.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::chart {

using Points = std::vector<Point>;

/// The parts of a path, each as its corners. Knows what Path writes: M, m, l, h, v, z.
inline std::vector<Points> parts_of(std::string_view path) {
  std::vector<Points> parts;
  Point at;
  char command = 0;
  std::size_t next = 0;
  const auto read_number = [&] {
    std::size_t end = next;
    while (end < path.size() && (path[end] == ' ' || path[end] == '-'))
      ++end;
    while (end < path.size() &&
           (std::isdigit(static_cast<unsigned char>(path[end])) != 0 || path[end] == '.'))
      ++end;
    const double value = std::stod(std::string{path.substr(next, end - next)});
    next = end;
    return value;
  };
  while (next < path.size()) {
    if (std::isalpha(static_cast<unsigned char>(path[next])) != 0) command = path[next++];
    switch (command) {
    case 'M':
      at.x = read_number();
      at.y = read_number();
      parts.emplace_back();
      break;
    case 'm':
      at.x += read_number();
      at.y += read_number();
      parts.emplace_back();
      break;
    case 'l':
      at.x += read_number();
      at.y += read_number();
      break;
    case 'h':
      at.x += read_number();
      break;
    case 'v':
      at.y += read_number();
      break;
    case 'z':
      at = parts.back().front();
      continue;
    default:
      throw std::logic_error("a path with an unknown command");
    }
    parts.back().push_back(at);
  }
  return parts;
}

/// The text after `from` up to the next quote.
inline std::string quoted(std::string_view text, std::size_t from) {
  return std::string{text.substr(from, text.find('"', from) - from)};
}

/// The paths whose class is `look`: "l c-s0" for a line, "f c-alarm" for what is filled.
inline std::vector<std::string> paths_of(std::string_view svg, std::string_view look) {
  constexpr std::string_view kPath = "<path d=\"";
  std::vector<std::string> out;
  for (std::size_t at = svg.find(kPath); at != svg.npos; at = svg.find(kPath, at + 1)) {
    const std::string_view element = svg.substr(at, svg.find('>', at) - at);
    if (element.find("class=\"" + std::string{look} + '"') != element.npos)
      out.push_back(quoted(svg, at + kPath.size()));
  }
  return out;
}

inline std::size_t count_in(std::string_view text, std::string_view part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at + 1))
    ++count;
  return count;
}

} // namespace debrief::chart
