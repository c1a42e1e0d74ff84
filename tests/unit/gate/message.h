// The sentence that a call throws as an Error.
#pragma once

#include "util/error.h"

#include <string>

namespace debrief::test {

template <typename Call>
std::string message_of(const Call& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return "no error";
}

} // namespace debrief::test
