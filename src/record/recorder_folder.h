// The recorder's private folder: Python files of the shim, their log, libkineto's socket.
//
// Its name is in the environment of all that the command starts, so whoever could make a folder of
// that name later would run code in those processes. So it lies where nobody can replace it
// (util/private_folder.h), and it is removed only once no process can know its name. Where that is
// not sure, it stays, empty, until a later recorder finds it. A lock on the folder, which the
// system takes back with the recorder, says whether that lives; it also keeps systemd-tmpfiles from
// removing the folder of a job of weeks.
#pragma once

#include <filesystem>
#include <string>

namespace debrief::record {

/// libkineto copies the path of a socket in it, 53 characters longer, into 108 bytes without
/// looking.
inline constexpr std::size_t kLongestRecorderFolder = 50;

class RecorderFolder {
public:
  /// Never throws: see trouble(). Removes what dead recorders of this user on this machine left in
  /// the same place.
  RecorderFolder();
  /// Empties it, and removes it where no process can know of it. This process's children count,
  /// and it waits for those that have ended.
  ~RecorderFolder();
  RecorderFolder(const RecorderFolder&) = delete;
  RecorderFolder& operator=(const RecorderFolder&) = delete;

  /// Empty where it could not be made.
  const std::filesystem::path& path() const { return path_; }

  /// Why it could not be made.
  const std::string& trouble() const { return trouble_; }

private:
  void make();
  void give_up() const;

  std::filesystem::path path_;
  std::string trouble_;
  int lock_ = -1; ///< the folder itself
};

/// Removes folders of dead recorders from `place`, which is_trusted_place(): those of this user and
/// this machine that no process can know of. What looks otherwise than a recorder's folder is left
/// alone.
void remove_leftover_folders(const std::string& place);

} // namespace debrief::record
