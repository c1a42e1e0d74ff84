// Where consents are kept: a file each in $XDG_CONFIG_HOME/debrief/trust, else in
// ~/.config/debrief/trust, which only this user may read.
#pragma once

#include "trust/consent.h"

#include <optional>
#include <string>
#include <vector>

namespace debrief::trust {

struct FoundConsent {
  std::optional<Consent> consent; ///< nothing: there is none, or none that counts
  std::string trouble = {};       ///< why one that may be there does not count; empty: it would
};

/// By the config's absolute path. What others could have written does not count.
FoundConsent find_consent(const std::string& config);

/// Throws Error where it cannot be kept, or others could change it there.
void keep_consent(const Consent& consent);

/// Whether there was one. Throws Error where it cannot be removed.
bool drop_consent(const std::string& config);

/// In the order of their paths.
std::vector<Consent> all_consents();

} // namespace debrief::trust
