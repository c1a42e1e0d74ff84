#include "repository.h"

namespace debrief::test {

std::filesystem::path repository() {
  return DEBRIEF_REPOSITORY;
}

} // namespace debrief::test
