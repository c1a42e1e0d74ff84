#include "trust/consent.h"

#include "trust/named_files.h"
#include "trust/other_writers.h"
#include "util/error.h"
#include "util/sha256.h"
#include "util/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <filesystem>

namespace debrief::trust {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

/// Where others may write, consent would be to whatever they write next.
void refuse_other_writers(const std::string& path) {
  if (const std::string trouble = other_writers(path); !trouble.empty())
    throw Error(fmt::format("{}: {}; change that, or name the config with --config each time",
                            printable(path), trouble));
}

/// A person must be able to read what they agree to, and JSON to hold it.
void refuse_hidden_letters(const std::string& path) {
  if (printable(path) != path)
    throw Error(
        fmt::format("{}: has letters that cannot be shown; rename it first", printable(path)));
}

std::optional<std::string> text_at(const json& document, const char* key) {
  const auto found = document.find(key);
  if (found == document.end() || !found->is_string()) return std::nullopt;
  return found->get<std::string>();
}

} // namespace

std::string name_of_config(const std::string& path) {
  std::error_code error;
  const fs::path full = fs::absolute(path, error).lexically_normal();
  // Not lexically: the folder may be a link, and ".." then leads elsewhere.
  const fs::path given = fs::path{path}.parent_path();
  const fs::path folder = fs::weakly_canonical(given.empty() ? fs::path{"."} : given, error);
  return ((error ? full.parent_path() : folder) / fs::path{path}.filename()).string();
}

std::string folder_of_config(const std::string& name) {
  return fs::path{name}.parent_path().string();
}

std::optional<std::string> sha256_of_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (file < 0) return std::nullopt;

  struct stat info {};

  Sha256 hash;
  std::array<char, 65536> part{};
  ssize_t got = ::fstat(file, &info) == 0 && S_ISREG(info.st_mode) ? 1 : -1;
  while (got > 0) {
    got = ::read(file, part.data(), part.size());
    if (got > 0) hash.add({part.data(), static_cast<std::size_t>(got)});
    if (got < 0 && errno == EINTR) got = 1;
  }
  ::close(file);
  if (got < 0) return std::nullopt;
  return hash.hex();
}

Consent consent_to(const std::string& name, std::string_view text,
                   std::span<const Command> commands) {
  Consent consent{name, sha256_hex(text), {}};
  const std::string folder = folder_of_config(name);
  refuse_hidden_letters(name);
  refuse_other_writers(folder);
  refuse_other_writers(name);
  for (const Command& command : commands)
    for (const std::string& file : named_files(command, folder)) {
      const std::string path = (fs::path{folder} / file).string();
      refuse_hidden_letters(file);
      refuse_other_writers(path);
      const auto hash = sha256_of_file(path);
      if (!hash) throw Error(fmt::format("{}: cannot be read; check its permissions", path));
      consent.files[file] = *hash;
    }
  return consent;
}

std::string to_text(const Consent& consent) {
  const json document = {
      {"config", consent.config}, {"sha256", consent.sha256}, {"files", consent.files}};
  return document.dump(2) + "\n";
}

std::optional<Consent> parse_consent(std::string_view text) {
  const json document = json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!document.is_object()) return std::nullopt;
  const auto config = text_at(document, "config");
  const auto sha256 = text_at(document, "sha256");
  const auto files = document.find("files");
  if (!config || !sha256 || files == document.end() || !files->is_object()) return std::nullopt;
  Consent consent{*config, *sha256, {}};
  for (const auto& [file, hash] : files->items()) {
    if (!hash.is_string()) return std::nullopt;
    consent.files[file] = hash.get<std::string>();
  }
  return consent;
}

} // namespace debrief::trust
