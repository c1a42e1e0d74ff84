// A file that appears whole or not at all.
//
// It is written under a temporary name in the same folder and renamed over the target by commit().
// Whatever ends the program before that (an exception, SIGINT, SIGTERM, SIGXCPU) removes the
// temporary file, and an older file under the target's name stays as it was. A target that is no
// regular file (a pipe, /dev/null) or stands for a descriptor (/dev/stdout) is written directly,
// since it cannot be replaced. What a symbolic link leads to is replaced or made, not the link.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace debrief {

class PendingFile {
public:
  /// Creates the temporary file; throws Error where the folder is missing or cannot be written.
  explicit PendingFile(const std::string& target);
  ~PendingFile();
  PendingFile(const PendingFile&) = delete;
  PendingFile& operator=(const PendingFile&) = delete;

  /// Where the bytes go until commit(); a library that wants a path writes there.
  const std::string& path() const { return temporary_; }

  /// Appends; throws Error (disk full, ...) naming the target.
  void write(std::string_view bytes);

  /// Makes the target appear. Nothing may be written afterwards.
  void commit();

private:
  [[noreturn]] void fail(const char* what) const;
  void close();

  std::string target_;
  std::string temporary_; ///< equal to target_ where that is no regular file
  int descriptor_ = -1;
  std::optional<std::size_t> slot_; ///< place in the list that the signal handler clears
};

/// Throws Error where something that was printed to stdout could not be written.
void flush_stdout();

/// Whether a target is what the program prints to: "-", or a name of the system's for it.
bool is_stdout(const std::string& target);

/// Writes all bytes to `target` as above, or to stdout where it is "-".
void write_file(const std::string& target, std::string_view bytes);

/// For what ends the program at once, such as a signal's handler: removes all temporary files, and
/// none appears any more; so it does with private folders, and ends child processes.
void remove_pending_files();

/// From here on signals that end the program (SIGINT, SIGTERM, SIGHUP, SIGPIPE, SIGXCPU and others)
/// remove temporary files first; one that is ignored, as under nohup, stays so.
void remove_pending_files_on_signal();

/// Signals do what they did before remove_pending_files_on_signal(): for a child that becomes
/// another program.
void restore_signals();

} // namespace debrief
