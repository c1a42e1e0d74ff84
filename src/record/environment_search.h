// Whether a process that runs knows a folder by its environment.
#pragma once

#include <cstdint>
#include <string>

namespace debrief::record {

struct EnvironmentSearch {
  std::string name;          ///< looked for anywhere in a variable
  std::uint64_t since = 0;   ///< ticks since boot: nobody who began earlier was given the name
  bool where_unsure = false; ///< what to say of processes of this user whose environment is
                             ///< unreadable, or was overwritten with a title
  const char* proc = "/proc";
};

/// Two looks, since a process may hand its environment to a child and end during the first. True
/// where processes cannot be listed.
bool is_in_an_environment(const EnvironmentSearch& search);

/// When this process began, in ticks since boot; 0 where the system does not say.
std::uint64_t own_start();

} // namespace debrief::record
