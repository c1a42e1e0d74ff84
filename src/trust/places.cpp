#include "trust/places.h"

#include <climits>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

namespace debrief::trust {

namespace {

namespace fs = std::filesystem;

constexpr int kMaxLinks = 40; // as many as the system follows

/// The parts of a path that are still to be gone, the next one last.
void put_ahead(const fs::path& path, std::vector<std::string>& ahead) {
  std::vector<std::string> parts;
  for (const fs::path& part : path.relative_path())
    if (!part.empty() && part != ".") parts.push_back(part.string());
  ahead.insert(ahead.end(), parts.rbegin(), parts.rend());
}

std::optional<fs::path> target_of(const std::string& link) {
  std::array<char, PATH_MAX> target{};
  const ssize_t size = ::readlink(link.c_str(), target.data(), target.size());
  if (size <= 0) return std::nullopt;
  return fs::path{std::string{target.data(), static_cast<std::size_t>(size)}};
}

bool add_place(std::string path, std::vector<Place>& places) {
  Place place{std::move(path), {}};
  if (::lstat(place.path.c_str(), &place.info) != 0) return false;
  places.push_back(std::move(place));
  return true;
}

} // namespace

std::vector<Place> places_on_the_way(const std::string& path) {
  std::error_code error;
  const fs::path start = fs::path{path}.is_absolute() ? fs::path{} : fs::current_path(error);
  std::vector<Place> places;
  if (path.empty() || error || !add_place("/", places)) return {};
  std::vector<std::string> ahead;
  put_ahead(start / path, ahead);
  fs::path here{"/"};
  for (int links = 0; !ahead.empty();) {
    const std::string part = std::move(ahead.back());
    ahead.pop_back();
    if (part == "..") {
      here = here.parent_path();
      if (!add_place(here.string(), places)) return {};
      continue;
    }
    if (!add_place((here / part).string(), places)) return {};
    if (!S_ISLNK(places.back().info.st_mode)) {
      here /= part;
      continue;
    }
    const auto target = target_of(places.back().path);
    if (!target || ++links > kMaxLinks) return {};
    if (target->is_absolute()) here = "/";
    put_ahead(*target, ahead);
    if (ahead.empty() && !add_place(here.string(), places)) return {}; // a link to "/" or "."
  }
  return places;
}

bool lies_in(const std::string& path, const std::string& folder) {
  const fs::path inner{path};
  const fs::path outer{folder};
  return std::mismatch(outer.begin(), outer.end(), inner.begin(), inner.end()).first == outer.end();
}

} // namespace debrief::trust
