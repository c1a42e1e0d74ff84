#include "cli/config_place.h"

#include "ingest/discover.h"
#include "ingest/read_file.h"
#include "trust/places.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>

namespace debrief::cli {

namespace {

namespace fs = std::filesystem;

/// Folders on the way to a path that hold a job, and the one that the path itself is or lies in.
void add_job_folders(const std::string& path, bool with_own, std::set<std::string>& folders) {
  const std::vector<trust::Place> places = trust::places_on_the_way(path);
  for (const trust::Place& place : places)
    if (S_ISDIR(place.info.st_mode) && ingest::has_parts_of_job(place.path))
      folders.insert(place.path);
  if (places.empty() || !with_own) return;
  const trust::Place& last = places.back();
  folders.insert(S_ISDIR(last.info.st_mode) ? last.path
                                            : fs::path{last.path}.parent_path().string());
}

std::set<std::string> folders_of(const JobPlace& job) {
  std::set<std::string> folders;
  add_job_folders(job.path, !job.is_result, folders);
  if (!job.follow_links) return folders;
  try {
    const ingest::FoundFiles found = ingest::discover(job.path, true);
    std::set<std::string> parents;
    for (const std::string& file : found.paths)
      parents.insert(fs::path{found.full_path(file)}.parent_path().string());
    for (const std::string& parent : parents)
      add_job_folders(parent, /*with_own=*/true, folders);
  } catch (const Error&) {
    return folders; // reading the job says what is wrong with it
  }
  return folders;
}

} // namespace

void refuse_config_in(const RuleOptions& rules, const JobPlace& job) {
  if (!rules.config_is_found()) return;
  const std::set<std::string> folders = folders_of(job);
  for (const trust::Place& place : trust::places_on_the_way(rules.config_path()))
    if (std::any_of(folders.begin(), folders.end(),
                    [&](const std::string& folder) { return trust::lies_in(place.path, folder); }))
      throw Error(fmt::format("{0}: lies in {1}, which must not set its own limits; add "
                              "--config {0} if the file is yours, else --no-config",
                              pipeline::kConfigName, job.what));
}

} // namespace debrief::cli
