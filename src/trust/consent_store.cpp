#include "trust/consent_store.h"

#include "trust/other_writers.h"
#include "util/error.h"
#include "util/pending_file.h"
#include "util/sha256.h"
#include "util/text.h"

#include <fmt/format.h>

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <pwd.h>

namespace debrief::trust {

namespace {

namespace fs = std::filesystem;

constexpr mode_t kOwnFolder = 0700;
constexpr mode_t kOwnFile = 0600;

std::optional<fs::path> absolute_path_in(const char* variable) {
  const char* const value = std::getenv(variable);
  if (value == nullptr || *value != '/') return std::nullopt; // relative ones do not count
  return fs::path{value};
}

/// $XDG_CONFIG_HOME/debrief; nothing for a user without a home.
std::optional<fs::path> config_folder() {
  if (const auto folder = absolute_path_in("XDG_CONFIG_HOME")) return *folder / "debrief";
  if (const auto home = absolute_path_in("HOME")) return *home / ".config/debrief";
  const passwd* const user = ::getpwuid(::geteuid());
  if (user == nullptr || user->pw_dir == nullptr || *user->pw_dir != '/') return std::nullopt;
  return fs::path{user->pw_dir} / ".config/debrief";
}

std::optional<fs::path> store_folder() {
  const auto folder = config_folder();
  if (!folder) return std::nullopt;
  return *folder / "trust";
}

fs::path file_in(const fs::path& folder, const std::string& config) {
  return folder / (sha256_hex(config) + ".json");
}

std::optional<Consent> read_consent(const fs::path& file) {
  std::ifstream stream{file, std::ios::binary};
  const std::string text{std::istreambuf_iterator<char>{stream}, {}};
  return stream ? parse_consent(text) : std::nullopt;
}

void make_own_folder(const fs::path& folder) {
  if (::mkdir(folder.c_str(), kOwnFolder) == 0 || errno == EEXIST) return;
  throw Error(fmt::format("{}: cannot be made ({}); set XDG_CONFIG_HOME to a folder of yours",
                          printable(folder.string()), std::strerror(errno)));
}

} // namespace

FoundConsent find_consent(const std::string& config) {
  const auto folder = store_folder();
  std::error_code error;
  if (!folder || !fs::is_regular_file(file_in(*folder, config), error)) return {};
  const fs::path file = file_in(*folder, config);
  if (std::string trouble = other_writers(file.string()); !trouble.empty())
    return {std::nullopt, std::move(trouble)};
  std::optional<Consent> consent = read_consent(file);
  if (!consent || consent->config != config)
    return {std::nullopt, fmt::format("{} is damaged", printable(file.string()))};
  return {std::move(consent)};
}

void keep_consent(const Consent& consent) {
  const auto folder = store_folder();
  if (!folder)
    throw Error("there is no home folder to keep trust in; set XDG_CONFIG_HOME to one, or name the "
                "config with --config each time");
  std::error_code error;
  fs::create_directories(folder->parent_path().parent_path(), error); // mkdir says what is wrong
  make_own_folder(folder->parent_path());
  make_own_folder(*folder);
  if (const std::string trouble = other_writers(folder->string()); !trouble.empty())
    throw Error(fmt::format("{}: {}; change that, or set XDG_CONFIG_HOME to a folder of yours",
                            printable(folder->string()), trouble));
  PendingFile file{file_in(*folder, consent.config).string()};
  ::chmod(file.path().c_str(), kOwnFile); // one that is replaced has this mode already
  file.write(to_text(consent));
  file.commit();
}

bool drop_consent(const std::string& config) {
  const auto folder = store_folder();
  if (!folder) return false;
  const fs::path file = file_in(*folder, config);
  std::error_code error;
  const bool removed = fs::remove(file, error);
  if (error)
    throw Error(fmt::format("{}: cannot be removed ({}); check its permissions",
                            printable(file.string()), error.message()));
  return removed;
}

std::vector<Consent> all_consents() {
  std::vector<Consent> out;
  const auto folder = store_folder();
  std::error_code error;
  if (!folder) return out;
  for (const fs::directory_entry& entry : fs::directory_iterator{*folder, error})
    if (auto consent = read_consent(entry.path());
        consent && file_in(*folder, consent->config) == entry.path())
      out.push_back(std::move(*consent));
  std::sort(out.begin(), out.end(),
            [](const Consent& a, const Consent& b) { return a.config < b.config; });
  return out;
}

} // namespace debrief::trust
