#include "record/private_folder.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>

namespace debrief::record {

namespace {

/// libkineto copies the path of a socket in it, 53 characters longer, into 108 bytes without
/// looking.
constexpr std::size_t kLongest = 50;
constexpr const char* kPattern = "/debrief.XXXXXX";

std::string place() {
  const char* wanted = std::getenv("TMPDIR");
  if (wanted == nullptr || *wanted != '/') return "/tmp";
  const std::string folder{wanted};
  return folder.size() + std::strlen(kPattern) <= kLongest ? folder : "/tmp";
}

} // namespace

PrivateFolder::PrivateFolder() {
  std::string name = place() + kPattern;
  if (::mkdtemp(name.data()) != nullptr)
    path_ = name;
  else
    trouble_ = std::strerror(errno);
}

PrivateFolder::~PrivateFolder() {
  std::error_code ignored;
  if (!path_.empty()) std::filesystem::remove_all(path_, ignored);
}

} // namespace debrief::record
