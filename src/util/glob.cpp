#include "util/glob.h"

namespace debrief {

bool glob_matches(std::string_view pattern, std::string_view text) {
  std::size_t at = 0;
  std::size_t star = pattern.npos; // the last one that was met, and what it was given so far
  std::size_t given = 0;
  std::size_t in_text = 0;
  while (in_text < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      given = in_text;
    } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == text[in_text])) {
      ++at;
      ++in_text;
    } else if (star != pattern.npos) { // only the last star can help: give it one more
      at = star + 1;
      in_text = ++given;
    } else {
      return false;
    }
  }
  while (at < pattern.size() && pattern[at] == '*')
    ++at;
  return at == pattern.size();
}

} // namespace debrief
