#include "trust/permission.h"

#include "trust/consent_store.h"
#include "trust/named_files.h"
#include "trust/other_writers.h"
#include "util/sha256.h"
#include "util/text.h"

#include <fmt/format.h>

#include <filesystem>
#include <utility>

namespace debrief::trust {

namespace {

std::string other_writers_of_config(const std::string& name) {
  std::string trouble = other_writers(folder_of_config(name));
  return trouble.empty() ? other_writers(name) : trouble;
}

/// Where reading and trusting it is all that is missing.
std::string ask_for_trust(const std::string& shown, const std::string& why) {
  return fmt::format("{} is not trusted{}; read it and run 'debrief trust', or give --config {}",
                     shown, why, shown);
}

/// Where no consent can help.
std::string ask_for_name(const std::string& shown, const std::string& trouble) {
  return fmt::format("{} is not trusted: {}; change that, or give --config {}", shown, trouble,
                     shown);
}

} // namespace

Permission::Permission(const std::string& config, std::string_view text,
                       std::span<const Command> commands)
    : shown_(printable(config)) {
  const std::string name = name_of_config(config);
  if (const std::string trouble = other_writers_of_config(name); !trouble.empty()) {
    refusal_ = ask_for_name(shown_, trouble);
    return;
  }
  FoundConsent found = find_consent(name);
  if (!found.trouble.empty()) {
    refusal_ = ask_for_name(shown_, found.trouble);
    return;
  }
  // Nothing that an unknown config names is looked at: it may name any file, however large.
  if (!found.consent || found.consent->sha256 != sha256_hex(text)) {
    refusal_ = ask_for_trust(shown_, found.consent ? ", since it has changed" : "");
    return;
  }
  consent_ = std::move(found.consent);
  for (const Command& command : commands) {
    refusal_ = changed_file(command);
    if (!refusal_.empty()) return;
  }
}

std::string Permission::refusal_of(const Command& command) const {
  if (!refusal_.empty() || !consent_) return refusal_;
  return changed_file(command);
}

std::string Permission::changed_file(const Command& command) const {
  const std::filesystem::path folder = folder_of_config(consent_->config);
  for (const std::string& file : named_files(command, folder.string())) {
    const std::string path = (folder / file).string();
    if (const std::string trouble = other_writers(path); !trouble.empty())
      return ask_for_name(shown_, trouble);
    const auto known = consent_->files.find(file);
    if (known == consent_->files.end())
      return ask_for_trust(shown_, fmt::format(", since {} is new", printable(file)));
    if (sha256_of_file(path) != known->second)
      return ask_for_trust(shown_, fmt::format(", since {} has changed", printable(file)));
  }
  return "";
}

} // namespace debrief::trust
