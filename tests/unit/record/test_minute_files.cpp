#include "record/description.h"
#include "record/minute_files.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>
#include <zlib.h>

namespace debrief::record {

namespace {

std::string unpacked(const std::string& path) {
  const gzFile file = ::gzopen(path.c_str(), "rb");
  std::string text(100'000, '\0');
  const int size = file == nullptr ? 0 : ::gzread(file, text.data(), 100'000);
  if (file != nullptr) ::gzclose(file);
  text.resize(static_cast<std::size_t>(std::max(0, size)));
  return text;
}

constexpr Microseconds kBegin = 1'794'703'200 * kSecond; // 2026-11-15T00:40:00Z, a full minute

TEST_CASE("a minute is a plain file while it runs, and a compressed one afterwards") {
  test::Folder folder;
  const std::string first = folder.path("incremental/2026111500/1794703200.node.json");
  const std::string second = folder.path("incremental/2026111500/1794703260.node.json");
  MinuteFiles files{folder.path(), "node"};
  files.append(kBegin, "one\n");
  files.append(kBegin + 59 * kSecond, "two\n");
  CHECK(std::filesystem::file_size(first) == 8);
  files.append(kBegin + 60 * kSecond, "three\n");
  CHECK_FALSE(std::filesystem::exists(first));
  CHECK(unpacked(first + ".gz") == "one\ntwo\n");
  CHECK(std::filesystem::file_size(second) == 6);
  files.finish();
  CHECK(unpacked(second + ".gz") == "three\n");
  CHECK_FALSE(std::filesystem::exists(second));
  CHECK(files.written() == 3);
  CHECK(files.lost() == 0);
}

TEST_CASE("what another recording wrote in the same minute is kept") {
  test::Folder folder;
  MinuteFiles{folder.path(), "node"}.append(kBegin, "one\n"); // ends as a killed program does
  MinuteFiles files{folder.path(), "node"};
  files.append(kBegin, "two\n");
  files.finish();
  const std::string file = folder.path("incremental/2026111500/1794703200.node.json");
  CHECK(unpacked(file) == "one\ntwo\n");
}

TEST_CASE("samples that cannot be written are counted, and nothing is thrown") {
  MinuteFiles files{"/proc/no-such-folder", "node"};
  files.append(kBegin, "one\n");
  files.finish();
  CHECK(files.written() == 0);
  CHECK(files.lost() == 1);
  CHECK_FALSE(files.trouble().empty());
}

TEST_CASE("a command is called as its script") {
  CHECK(name_of_command({"python3", "-u", "src/train.py", "--lr", "1"}) == "train");
  CHECK(name_of_command({"torchrun", "--nproc-per-node", "8", "train.py"}) == "train");
  CHECK(name_of_command({"/usr/bin/python", "-m", "pkg.train", "--lr", "1"}) == "pkg.train");
  CHECK(name_of_command({"./a.out"}) == "a.out");
  CHECK(name_of_command({}) == "job");
}

TEST_CASE("a recording that was cut off says that it runs") {
  Description description;
  description.name = "train";
  description.command = {"python", "train.py"};
  const auto status = [&] {
    return nlohmann::json::parse(to_job_json(description))["TrainingJobStatus"].get<std::string>();
  };
  CHECK(status() == "InProgress");
  description.end = kBegin;
  description.ending = Ending{0, std::nullopt};
  CHECK(status() == "Completed");
  description.ending = Ending{1, std::nullopt};
  CHECK(status() == "Failed");
  description.ending = Ending{143, 15};
  description.interrupted = true;
  CHECK(status() == "Stopped");
}

} // namespace

} // namespace debrief::record
