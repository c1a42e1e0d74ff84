// What a person agreed to: that this config file starts programs and sends messages, as it was
// then, with the files in its folder that it names. `debrief trust` makes one.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::trust {

/// The words of a program, or the text of a shell command as one.
using Command = std::vector<std::string>;

struct Consent {
  std::string config;                       ///< the file, an absolute path
  std::string sha256;                       ///< of its text
  std::map<std::string, std::string> files; ///< relative to its folder: SHA-256

  bool operator==(const Consent&) const = default;
};

/// The absolute path of a config, by which its consent is found: links of its folder are followed,
/// but not the file's own, since the commands run in the folder of the link.
std::string name_of_config(const std::string& path);

std::string folder_of_config(const std::string& name);

/// To what a person would agree now. Throws Error where others than this user and root could change
/// it afterwards, or where a file cannot be read.
Consent consent_to(const std::string& name, std::string_view text,
                   std::span<const Command> commands);

/// SHA-256 of a regular file's content; nothing where it is none or cannot be read.
std::optional<std::string> sha256_of_file(const std::string& path);

std::string to_text(const Consent& consent);
/// Nothing where the text is no such document.
std::optional<Consent> parse_consent(std::string_view text);

} // namespace debrief::trust
