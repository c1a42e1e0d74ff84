#include "record/node_name.h"
#include "record/step_shim.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

#include <filesystem>
#include <fstream>

namespace test_step_shim {

using namespace debrief;

namespace {

std::string value(const record::Environment& environment, const std::string& name) {
  for (const auto& [key, text] : environment)
    if (key == name) return text;
  return "(not set)";
}

void say(const record::StepShim& shim, const std::string& lines) {
  std::ofstream{shim.log(), std::ios::app} << lines;
}

/// The one sentence that a job without steps gets after these lines of the log.
std::string note_after(const std::string& lines) {
  const test::Folder job;
  const record::RecorderFolder folder;
  record::StepShim shim{folder, job.path()};
  say(shim, lines);
  shim.finish();
  return shim.notes().size() == 1 ? shim.notes().front() : "";
}

} // namespace

TEST_CASE("the shim's folder comes first on PYTHONPATH and is gone afterwards") {
  const test::Folder job;
  std::filesystem::path folder;
  {
    const record::RecorderFolder made;
    const record::StepShim shim{made, job.path()};
    const auto alone = shim.environment({{"PATH", "/bin"}});
    folder = value(alone, "PYTHONPATH");
    CHECK(std::filesystem::exists(folder / "sitecustomize.py"));
    CHECK(std::filesystem::exists(folder / "debrief_steps.py"));
    CHECK(std::filesystem::status(folder).permissions() == std::filesystem::perms::owner_all);
    CHECK(value(alone, "DEBRIEF_RECORD_STEPS") == job.path());
    CHECK(value(alone, "DEBRIEF_RECORD_NODE") == record::node_name());
    CHECK(value(shim.environment({{"PYTHONPATH", "/a:/b"}}), "PYTHONPATH") ==
          folder.string() + ":/a:/b");
    CHECK(value(shim.environment({{"PYTHONPATH", ""}}), "PYTHONPATH") == folder.string());
  }
  CHECK_FALSE(std::filesystem::exists(folder));
}

TEST_CASE("a recorder in a recorder says so to the outer one") {
  const test::Folder job;
  const record::RecorderFolder outer_folder;
  const record::RecorderFolder inner_folder;
  record::StepShim outer{outer_folder, job.path("outer")};
  const record::StepShim inner{inner_folder, job.path("inner")};
  const auto environment = inner.environment(outer.environment({}));
  CHECK(value(environment, "PYTHONPATH") ==
        inner_folder.path().string() + ":" + outer_folder.path().string());
  CHECK(value(environment, "DEBRIEF_RECORD_LOG") == inner.log());
  outer.finish();
  REQUIRE(outer.notes().size() == 1);
  CHECK(outer.notes().front().find("that the command ran") != std::string::npos);
}

TEST_CASE("stacks go into the job's folder unless they are not wanted") {
  const test::Folder job;
  const record::RecorderFolder folder;
  record::StepShim with{folder, job.path()};
  CHECK(value(with.environment({}), "DEBRIEF_RECORD_STACKS") == job.path() + "/stacks");
  say(with, "1 python\n1 torch 2.1.0\n1 stacks OSError: no\n");
  with.finish();
  REQUIRE(with.notes().size() == 2);
  CHECK(with.notes().back().find("(OSError: no)") != std::string::npos);
  const record::StepShim without{folder, job.path(), /*memory=*/false, /*stacks=*/false};
  CHECK(value(without.environment({}), "DEBRIEF_RECORD_STACKS") == "");
}

TEST_CASE("a memory snapshot that was asked for and is not there is noted") {
  const test::Folder job;
  const record::RecorderFolder folder;
  record::StepShim shim{folder, job.path(), /*memory=*/true};
  CHECK(value(shim.environment({}), "DEBRIEF_RECORD_MEMORY") == job.path() + "/traces");
  say(shim, "1 python\n1 torch 2.1.0\n1 memory RuntimeError: no\n");
  shim.finish();
  REQUIRE(shim.notes().size() == 2);
  CHECK(shim.notes().back().find("(RuntimeError: no)") != std::string::npos);

  const record::StepShim without{folder, job.path()};
  CHECK(value(without.environment({}), "DEBRIEF_RECORD_MEMORY") == "(not set)");
}

TEST_CASE("a job without steps says why") {
  CHECK(note_after("").find("-I, -E or -S") != std::string::npos);
  CHECK(note_after("1 python\n").find("did not import PyTorch") != std::string::npos);
  CHECK(note_after("1 python\n1 torch 2.1.0\n").find("PyTorch 2.1.0 was imported") !=
        std::string::npos);
  CHECK(note_after("1 recorder\n").find("that the command ran") != std::string::npos);
  CHECK(note_after("1 python\n1 torch 2.1.0\n1 error KeyError: x\n").find("KeyError: x") !=
        std::string::npos);
}

TEST_CASE("a job with a timeline needs no note, unless a process failed") {
  const test::Folder job;
  const std::filesystem::path folder = job.path("profiler-output/framework/pevents/2026111500");
  std::filesystem::create_directories(folder);
  std::ofstream{folder / "1_2-host_pythontimeline.json"} << "[]";
  const record::RecorderFolder first;
  record::StepShim good{first, job.path()};
  say(good, "1 python\n1 torch 2.1.0\n");
  good.finish();
  CHECK(good.notes().empty());
  const record::RecorderFolder second;
  record::StepShim bad{second, job.path()};
  say(bad, "1 python\n2 error OSError: the disk is full\n");
  bad.finish();
  REQUIRE(bad.notes().size() == 1);
  CHECK(bad.notes().front().find("the disk is full") != std::string::npos);
}

TEST_CASE("a node's name fits into the names of timelines") {
  CHECK_FALSE(record::node_name().empty());
  CHECK(record::node_name().find_first_of("_./ ") == std::string::npos);
}

} // namespace test_step_shim
