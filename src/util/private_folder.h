// A folder that only this user can enter, gone when its owner is, or when a signal ends the
// program.
#pragma once

#include <climits>

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace debrief {

class PrivateFolder {
public:
  /// Makes it in $TMPDIR, or in /tmp where the path would be longer than `longest`. Never throws;
  /// see trouble().
  explicit PrivateFolder(std::size_t longest = PATH_MAX / 2);
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
  std::optional<std::size_t> slot_; ///< place in the list that the signal handler clears
};

/// For a handler of signals: removes all of them, with the files that lie in them.
void remove_private_folders();

} // namespace debrief
