#include "overview/names.h"

#include "util/text.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <string_view>

namespace debrief::overview {

namespace {

std::string lower(std::string_view text) {
  std::string out{text};
  std::transform(out.begin(), out.end(), out.begin(), [](char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  });
  return out;
}

/// "runs/a/" -> "a"; of "." and the like the folder's own name.
std::string last_part(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/'))
    path.remove_suffix(1);
  std::string name = std::filesystem::path{path}.filename().string();
  if (!name.empty() && name != "." && name != "..") return name;
  std::error_code error;
  return std::filesystem::weakly_canonical(path, error).filename().string();
}

/// Devices of Windows, which no file there may be named after, whatever its ending.
bool is_device(std::string_view name) {
  static const std::set<std::string, std::less<>> devices = {
      "aux",  "com1", "com2", "com3", "com4", "com5", "com6", "com7", "com8", "com9", "con",
      "lpt1", "lpt2", "lpt3", "lpt4", "lpt5", "lpt6", "lpt7", "lpt8", "lpt9", "nul",  "prn"};
  return devices.contains(lower(name.substr(0, name.find('.'))));
}

} // namespace

std::vector<std::string> page_names(const std::vector<std::string>& paths) {
  std::set<std::string> taken = {"index"};
  std::map<std::string, std::size_t> last; // number given to one of this name, in small letters
  std::vector<std::string> out;
  for (const std::string& path : paths) {
    std::string stem = safe_file_name(last_part(path), "job");
    if (is_device(stem)) stem.insert(0, "job-");
    std::size_t& number = last[lower(stem)];
    std::string name = stem;
    while (!taken.insert(lower(name)).second) {
      number = std::max<std::size_t>(number, 1) + 1;
      name = stem + '-' + std::to_string(number);
    }
    out.push_back(std::move(name));
  }
  return out;
}

} // namespace debrief::overview
