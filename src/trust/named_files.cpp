#include "trust/named_files.h"

#include "trust/places.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>
#include <vector>

namespace debrief::trust {

namespace {

namespace fs = std::filesystem;

/// Whether what begins there is written to, as "log" is in "./rule.sh >>log": it is no program, and
/// changes with every run.
bool is_output(const std::string& word, std::size_t begin) {
  if (begin == 0) return false;
  const std::size_t before = word.find_last_not_of(" \t\"'", begin - 1);
  return before != word.npos && word[before] == '>';
}

/// The word, and what is left of it where a shell or an option cuts.
std::set<std::string> pieces_of(const std::string& word) {
  constexpr std::string_view kCuts = " \t\r\n\"'`\\=;|&<>()${}[],:!*?#~";
  std::set<std::string> pieces{word};
  for (std::size_t begin = 0; begin < word.size();) {
    const std::size_t end = std::min(word.find_first_of(kCuts, begin), word.size());
    if (end > begin && !is_output(word, begin)) pieces.insert(word.substr(begin, end - begin));
    begin = end + 1;
  }
  pieces.erase("");
  return pieces;
}

/// What a piece may stand for as a path.
std::vector<std::string> readings_of(const std::string& piece) {
  std::string module = piece;
  std::replace(module.begin(), module.end(), '.', '/');
  return {piece, piece + "/__main__.py", module + ".py", module + "/__main__.py"};
}

/// Folders of PATH that are looked for where the command runs, and the place itself.
std::vector<fs::path> search_folders(const fs::path& folder) {
  std::vector<fs::path> out{folder};
  const char* const variable = std::getenv("PATH");
  const std::string_view all = variable == nullptr ? "" : variable;
  for (std::size_t begin = 0; begin < all.size();) {
    const std::size_t end = std::min(all.find(':', begin), all.size());
    const fs::path entry = all.substr(begin, end - begin);
    if (!entry.empty() && entry.is_relative()) out.push_back(folder / entry);
    begin = end + 1;
  }
  return out;
}

} // namespace

std::set<std::string> named_files(std::span<const std::string> words, const std::string& folder) {
  const std::vector<fs::path> places = search_folders(folder);
  std::set<std::string> files;
  for (const std::string& word : words)
    for (const std::string& piece : pieces_of(word))
      for (const std::string& reading : readings_of(piece))
        for (const fs::path& place : places) {
          const fs::path path = (place / reading).lexically_normal();
          if (piece.front() == '/' && !lies_in(path.string(), folder)) continue;
          std::error_code error;
          if (fs::is_regular_file(path, error))
            files.insert(path.lexically_relative(folder).string());
        }
  return files;
}

} // namespace debrief::trust
