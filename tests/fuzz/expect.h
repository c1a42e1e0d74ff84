// What has to hold whatever the input is: where it does not, the fuzzer keeps the input.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace debrief::fuzz {

inline void expect(bool holds, std::string_view what, std::string_view found = {}) {
  if (holds) return;
  std::fprintf(stderr, "not what it has to be: %s: %s\n", std::string{what}.c_str(),
               std::string{found.substr(0, 300)}.c_str());
  std::abort();
}

} // namespace debrief::fuzz
