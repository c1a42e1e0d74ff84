#include "cli/record_folder.h"

#include "util/error.h"
#include "util/text.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace debrief::cli {

namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse_folder(const fs::path& folder, const std::string& why) {
  throw Error(fmt::format("{}: cannot be written ({}); nothing was started, choose another folder "
                          "with -o",
                          printable(folder.string()), why));
}

/// One that is there has to be a folder that can be written.
void make_writable_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) refuse_folder(folder, error.message());
  if (::access(folder.c_str(), W_OK | X_OK) != 0) refuse_folder(folder, std::strerror(errno));
}

/// Whether it was not there; of all who try at once, one makes it.
bool make_job_file(const fs::path& folder) {
  const int file =
      ::open((folder / kJobFile).c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  if (file < 0 && errno != EEXIST) refuse_folder(folder, std::strerror(errno));
  if (file >= 0) ::close(file);
  return file >= 0;
}

} // namespace

RecordFolder::RecordFolder(const std::string& wanted, bool shared)
    : path_(wanted) {
  make_writable_folder(path_);
  for (int number = 2; !shared && !described_; ++number) {
    described_ = make_job_file(path_);
    if (described_) break;
    path_ = fmt::format("{}-{}", wanted, number);
    make_writable_folder(path_);
  }
}

RecordFolder::~RecordFolder() {
  if (kept_) return;
  std::error_code error;
  if (described_) fs::remove(path_ / kJobFile, error);
  fs::remove(path_, error); // where it is empty
}

} // namespace debrief::cli
