// What a command reads, and what it writes: no output takes the place of an input, nor of another
// output.
#pragma once

#include <string>
#include <vector>

namespace debrief::cli {

/// An option and the file that it names; empty: not given, "-": stdout.
struct NamedFile {
  const char* option;
  std::string file;
};

/// Throws Error where two of them name the same file, or both stdout.
void refuse_same_file(const std::vector<NamedFile>& files);

class Inputs {
public:
  /// A job's folder or file. With `follow_links` its files may lie anywhere.
  void add_job(const std::string& path, bool follow_links = false);

  /// A file that is read as it is. `what` it is, for the sentence: "is the config file".
  void add_file(const std::string& path, const char* what);

  /// Throws Error where one of the outputs is one of the inputs, before any work.
  void refuse(const std::vector<NamedFile>& outputs) const;

private:
  struct Job {
    std::string path;
    bool follow_links;
  };

  struct File {
    std::string path;
    const char* what;
  };

  std::vector<Job> jobs_;
  std::vector<File> files_;
};

} // namespace debrief::cli
