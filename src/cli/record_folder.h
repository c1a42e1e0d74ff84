// The folder of a recording: one that no other recording has.
#pragma once

#include <filesystem>
#include <string>

namespace debrief::cli {

inline constexpr const char* kJobFile = "job.json";

/// Gone again, where nothing else is in it, unless kept.
class RecordFolder {
public:
  /// Makes `wanted`, and an empty job.json in it. Where that is there already, made by an earlier
  /// recording or at the same moment by another one, it takes `wanted`-2, -3 and so on. Ranks of a
  /// launcher share a folder (`shared`) and make no job.json. Throws Error where the folder cannot
  /// be written.
  RecordFolder(const std::string& wanted, bool shared);
  ~RecordFolder();
  RecordFolder(const RecordFolder&) = delete;
  RecordFolder& operator=(const RecordFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }

  /// The command runs.
  void keep() { kept_ = true; }

private:
  std::filesystem::path path_;
  bool described_ = false; ///< job.json is this one's
  bool kept_ = false;
};

} // namespace debrief::cli
