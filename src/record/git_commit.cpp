// The commit of a working folder, read from the repository's own files.
#include "record/description.h"

#include <algorithm>
#include <filesystem>
#include <fstream>

namespace debrief::record {

namespace {

namespace fs = std::filesystem;

bool is_commit(const std::string& text) {
  return (text.size() == 40 || text.size() == 64) &&
         text.find_first_not_of("0123456789abcdef") == text.npos;
}

std::string line_of(const fs::path& file) {
  std::ifstream in{file};
  std::string line;
  std::getline(in, line);
  return line;
}

/// "refs/heads/main" in a repository's folder, loose or packed.
std::string commit_of(const fs::path& repository, const std::string& reference) {
  if (std::string loose = line_of(repository / reference); is_commit(loose)) return loose;
  std::ifstream packed{repository / "packed-refs"};
  for (std::string line; std::getline(packed, line);)
    if (line.size() > reference.size() && line.ends_with(" " + reference))
      if (std::string commit = line.substr(0, line.find(' ')); is_commit(commit)) return commit;
  return "";
}

} // namespace

std::string git_commit(const std::string& folder) {
  constexpr std::string_view kLink = "gitdir: ";
  constexpr std::string_view kReference = "ref: ";
  std::error_code error;
  fs::path at = fs::absolute(folder, error);
  while (!at.empty() && !fs::exists(at / ".git", error) && at != at.root_path())
    at = at.parent_path();
  fs::path repository = at / ".git";
  if (fs::is_regular_file(repository, error)) { // a worktree, or a submodule
    const std::string link = line_of(repository);
    if (!link.starts_with(kLink)) return "";
    repository = at / link.substr(kLink.size());
  }
  std::string head = line_of(repository / "HEAD");
  if (is_commit(head)) return head;
  if (!head.starts_with(kReference)) return "";
  const std::string reference = head.substr(kReference.size());
  if (std::string commit = commit_of(repository, reference); !commit.empty()) return commit;
  // A worktree's branches are in the repository that it is of.
  const std::string common = line_of(repository / "commondir");
  return common.empty() ? "" : commit_of(repository / common, reference);
}

} // namespace debrief::record
