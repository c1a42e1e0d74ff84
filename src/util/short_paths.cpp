#include "util/short_paths.h"

#include <algorithm>

namespace debrief {

namespace {

/// What can be part of a path in a message; a space ends it.
bool is_of_path(char letter) {
  constexpr std::string_view kEnds = "'\"`<>()[]{},;:|*?";
  return static_cast<unsigned char>(letter) > ' ' && kEnds.find(letter) == kEnds.npos;
}

/// Where a path may begin: not within a word, nor in an address.
bool may_precede(char letter) {
  constexpr std::string_view kOthers = "'\"`<([{,;=|";
  return static_cast<unsigned char>(letter) <= ' ' || kOthers.find(letter) != kOthers.npos;
}

std::string_view shortened(std::string_view path, std::string_view folder) {
  if (path.find_first_not_of('/') == path.npos) return path; // names nothing
  for (const std::string_view packages : {"/site-packages/", "/dist-packages/"})
    if (const std::size_t at = path.rfind(packages); at != path.npos)
      return path.substr(at + packages.size());
  if (folder.size() > 1 && path.starts_with(folder) && path.size() > folder.size() + 1 &&
      path[folder.size()] == '/')
    return path.substr(folder.size() + 1);
  while (path.size() > 1 && path.back() == '/')
    path.remove_suffix(1);
  return path.substr(std::min(path.rfind('/') + 1, path.size() - 1));
}

} // namespace

std::string with_short_paths(std::string_view text, std::string_view folder) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '/' || (at > 0 && !may_precede(text[at - 1]))) {
      out += text[at++];
      continue;
    }
    std::size_t end = at;
    while (end < text.size() && is_of_path(text[end]))
      ++end;
    // A full stop ends the sentence.
    std::string_view path = text.substr(at, end - at);
    const std::size_t stops = path.size() - (path.find_last_not_of('.') + 1);
    out += shortened(path.substr(0, path.size() - stops), folder);
    out += path.substr(path.size() - stops);
    at = end;
  }
  return out;
}

} // namespace debrief
