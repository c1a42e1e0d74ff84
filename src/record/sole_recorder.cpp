#include "record/sole_recorder.h"

#include <fmt/format.h>

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstring>

namespace debrief::record {

SoleRecorder::SoleRecorder(const std::filesystem::path& folder) {
  struct stat info {};

  if (::stat(folder.c_str(), &info) != 0) return;
  socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket_ < 0) return;
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  // The first byte stays 0: a name that is no file.
  const std::string name =
      fmt::format("debrief-record-{}-{}-{}", ::getuid(), info.st_dev, info.st_ino);
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  sole_ = ::bind(socket_, reinterpret_cast<const sockaddr*>(&address), size) == 0 ||
          errno != EADDRINUSE;
}

SoleRecorder::~SoleRecorder() {
  if (socket_ >= 0) ::close(socket_);
}

} // namespace debrief::record
