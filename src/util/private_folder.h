// Folders that only this user can enter, in $TMPDIR or /tmp.
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

namespace debrief {

/// "/tmp" or $TMPDIR: where this user can make a folder that nobody else, but root, can replace by
/// another of its name. $TMPDIR is passed over where others may, where `name_size` characters more
/// make a path longer than `longest`, and where a list of paths, as PYTHONPATH is, would cut it at
/// a ':'.
struct PrivatePlace {
  std::string folder;  ///< without links; empty where there is none
  std::string trouble; ///< why there is none
};

PrivatePlace private_place(std::size_t longest, std::size_t name_size);

/// Whether nobody but root and this user can rename or replace what they own in the folder, nor the
/// folder. `folder` is absolute and has no links.
bool is_trusted_place(const std::string& folder);

/// One that is gone when its owner is, or when a signal ends the program.
class PrivateFolder {
public:
  /// Never throws; see trouble().
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
  std::optional<std::size_t> slot_; ///< place in the list that the signal handler clears
};

/// For a handler of signals: removes all of them, with the files that lie in them.
void remove_private_folders();

} // namespace debrief
