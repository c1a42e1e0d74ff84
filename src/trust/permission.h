// Whether what a config file starts may be started. A config that a person names may start what it
// wants; one that merely lies in the current folder may be a stranger's, and needs a consent to
// what it is at this moment.
#pragma once

#include "trust/consent.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace debrief::trust {

class Permission {
public:
  /// Everything may be started.
  Permission() = default;

  /// Of a config that nobody named: `text` is what was read of it, and what is used.
  Permission(const std::string& config, std::string_view text, std::span<const Command> commands);

  /// Why nothing may be started, and how to allow it, in one sentence without its end; empty: it
  /// may. "debrief.json is not trusted; …"
  const std::string& refusal() const { return refusal_; }

  /// The same of one command, right before it starts: its files are looked at once more.
  std::string refusal_of(const Command& command) const;

private:
  /// Why files of a command are not those of the consent; empty: they are.
  std::string changed_file(const Command& command) const;

  std::string shown_; ///< the config's name as it was given
  std::optional<Consent> consent_;
  std::string refusal_;
};

} // namespace debrief::trust
