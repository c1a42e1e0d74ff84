// A file that is in memory only, for what wants a path: thousands of inputs a second are no load
// for a disk.
#pragma once

#include "expect.h"

#include <sys/mman.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace debrief::fuzz {

class MemoryFile {
public:
  explicit MemoryFile(std::string_view text)
      : descriptor_(::memfd_create("input", MFD_CLOEXEC)) {
    expect(descriptor_ >= 0, "memory for a file");
    expect(::write(descriptor_, text.data(), text.size()) == static_cast<ssize_t>(text.size()),
           "a whole file");
  }

  ~MemoryFile() { ::close(descriptor_); }

  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  std::string path() const { return "/proc/self/fd/" + std::to_string(descriptor_); }

private:
  int descriptor_;
};

} // namespace debrief::fuzz
