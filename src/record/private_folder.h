// A folder that only this user can enter, with a short path, gone when the recording ends.
#pragma once

#include <filesystem>
#include <string>

namespace debrief::record {

class PrivateFolder {
public:
  /// Makes it in $TMPDIR, or in /tmp where that is too long for a socket's address. Never throws;
  /// see trouble().
  PrivateFolder();
  ~PrivateFolder();
  PrivateFolder(const PrivateFolder&) = delete;
  PrivateFolder& operator=(const PrivateFolder&) = delete;

  /// Empty where it could not be made.
  const std::filesystem::path& path() const { return path_; }

  /// What the system said where it could not be made.
  const std::string& trouble() const { return trouble_; }

private:
  std::filesystem::path path_;
  std::string trouble_;
};

} // namespace debrief::record
