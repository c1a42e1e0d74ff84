#include "cli/inputs.h"

#include "ingest/discover.h"
#include "ingest/read_file.h"
#include "util/error.h"
#include "util/pending_file.h"
#include "util/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace debrief::cli {

namespace {

/// Where a file is, whatever links and names lead there.
std::filesystem::path place(const std::string& file) {
  std::error_code error;
  const auto canonical = std::filesystem::weakly_canonical(file, error);
  return error ? std::filesystem::path{file} : canonical;
}

bool is_at_or_below(const std::filesystem::path& file, const std::filesystem::path& folder) {
  const auto [end, rest] = std::mismatch(folder.begin(), folder.end(), file.begin(), file.end());
  return end == folder.end();
}

/// Whether a link inside the job's folder leads to the file.
bool is_linked_from(const std::string& job, const std::filesystem::path& file) {
  try {
    const ingest::FoundFiles found = ingest::discover(job, true);
    return std::any_of(found.paths.begin(), found.paths.end(), [&](const std::string& path) {
      std::error_code error;
      return std::filesystem::equivalent(found.full_path(path), file, error);
    });
  } catch (const Error&) {
    return false; // reading the job says what is wrong with it
  }
}

} // namespace

void Inputs::add_job(const std::string& path, bool follow_links) {
  jobs_.push_back({path, follow_links});
}

void Inputs::add_file(const std::string& path, const char* what) {
  if (!path.empty()) files_.push_back({path, what});
}

void Inputs::refuse(const std::vector<NamedFile>& outputs) const {
  for (const NamedFile& output : outputs) {
    std::error_code error;
    if (output.file.empty() || is_stdout(output.file) ||
        !std::filesystem::is_regular_file(output.file, error))
      continue;
    const std::filesystem::path file = place(output.file);
    const auto refuse_as = [&](const char* what) {
      throw Error(
          fmt::format("{} {}: {}; write elsewhere", output.option, printable(output.file), what));
    };
    for (const File& input : files_)
      if (file == place(input.path)) refuse_as(input.what);
    if (!ingest::is_job_file(file.string())) continue;
    for (const Job& job : jobs_)
      if (is_at_or_below(file, place(job.path)) ||
          (job.follow_links && is_linked_from(job.path, file)))
        refuse_as("is one of the job's own files");
  }
}

void refuse_same_file(const std::vector<NamedFile>& files) {
  for (std::size_t i = 0; i < files.size(); ++i)
    for (std::size_t k = i + 1; k < files.size(); ++k) {
      const NamedFile& a = files[i];
      const NamedFile& b = files[k];
      if (a.file.empty() || b.file.empty()) continue;
      if (is_stdout(a.file) && is_stdout(b.file))
        throw Error(fmt::format("{} - and {} -: only one can go to stdout; give the other a file",
                                a.option, b.option));
      if (!is_stdout(a.file) && !is_stdout(b.file) && place(a.file) == place(b.file))
        throw Error(fmt::format("{} and {} both write {}; use different files", a.option, b.option,
                                printable(a.file)));
    }
}

} // namespace debrief::cli
