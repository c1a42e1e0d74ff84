#include "record/failures.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

#include <csignal>

namespace test_failures {

using namespace debrief;
using nlohmann::json;

namespace {

json failures_of(const std::string& told, const std::optional<record::CommandEnd>& command = {}) {
  const std::string text = record::to_failures_json(told, "box", "/home/me/run", command);
  return text.empty() ? json::array() : json::parse(text)["Failures"];
}

} // namespace

TEST_CASE("what a process told is what the job's file says") {
  const std::string text = record::to_failures_json(
      R"({"pid":7,"parent":3,"rank":1,"attempt":0,"time":1795114850702949,"step":312,)"
      R"("type":"torch.OutOfMemoryError","message":"CUDA out of memory.",)"
      R"("frames":[["train.py",9,"main",0],["torch/nn/functional.py",41,"linear",1]]})"
      "\n",
      "box", "/home/me/run");
  CHECK(json::parse(text) == json::parse(R"({
    "DebriefFailures": 1, "Host": "box", "Failures": [{
      "Process": 7, "Time": "2026-11-19T19:00:50.702949Z", "Parent": 3, "Rank": 1, "Attempt": 0,
      "Step": 312, "Type": "torch.OutOfMemoryError", "Message": "CUDA out of memory.", "Frames": [
        {"File": "train.py", "Line": 9, "Function": "main"},
        {"File": "torch/nn/functional.py", "Line": 41, "Function": "linear", "Library": true}]}]})"));
}

TEST_CASE("a launcher adds what a process did not know, and changes nothing") {
  const json failures =
      failures_of(R"({"pid":7,"time":1795114850702949,"type":"ValueError","message":"a"})"
                  "\n"
                  R"({"pid":7,"time":1795114850000000,"type":"OtherError","exit":1,"rank":2})");
  REQUIRE(failures.size() == 1);
  CHECK(failures[0]["Type"] == "ValueError");
  CHECK(failures[0]["Time"] == "2026-11-19T19:00:50.702949Z");
  CHECK(failures[0]["ExitCode"] == 1);
  CHECK(failures[0]["Rank"] == 2);
}

TEST_CASE("messages lose secrets and folders of people, and what no line should have") {
  const json failures = failures_of(
      R"({"pid":7,"type":"OSError","message":"hf_token=hf_abc at '/home/you/a.pt' \u001b[2J"})");
  const std::string message = failures[0]["Message"];
  CHECK(message.find("hf_abc") == std::string::npos);
  CHECK(message.find("/home") == std::string::npos);
  CHECK(message.find('\x1b') == std::string::npos);
  CHECK(message.find("'a.pt'") != std::string::npos);
  const json longest =
      failures_of(R"({"pid":7,"type":"E","message":")" + std::string(2000, 'x') + "\"}");
  CHECK(longest[0]["Message"].get<std::string>().size() <= 303); // and "…"
}

TEST_CASE("what is no such line is left out") {
  CHECK(failures_of("").empty());
  CHECK(failures_of("\n{}\n[]\n5\nno JSON\n{\"pid\":-1}\n{\"pid\":\"7\"}\n").empty());
  const json failures = failures_of(
      R"({"pid":7,"rank":-1,"step":"x","time":5,"type":5,"frames":[["a"],["b",1,2,0]]})"
      "\n"
      R"({"pid":8,"type":"E","message":5,"frames":[["a"],5,["b",1,2,0],["c",-4,"f",true]]})");
  REQUIRE(failures.size() == 2);
  CHECK(failures[0] == json{{"Process", 7}});
  CHECK(failures[1]["Message"] == "");
  CHECK(failures[1]["Frames"] == json::parse(R"([{"File": "c", "Line": 0, "Function": "f"}])"));
}

TEST_CASE("the end of a command that no job.json tells is a failure, too") {
  const json failures = failures_of("", record::CommandEnd{42, 3, {137, SIGKILL}});
  CHECK(failures == json::parse(R"([{"Process": 42, "EndedCommand": true, "ExitCode": 137,
                                     "Signal": 9, "Rank": 3}])"));
}

TEST_CASE("a job without failures has no file of them") {
  const test::Folder folder;
  record::copy_failures(folder.path("told"), folder.path("job"), "box");
  CHECK_FALSE(std::filesystem::exists(folder.path("job")));
  std::ofstream{folder.path("told")} << R"({"pid":7,"type":"E"})" << '\n';
  record::copy_failures(folder.path("told"), folder.path("job"), "box");
  record::copy_failures(folder.path("told"), folder.path("job"), "box");
  const std::filesystem::directory_iterator files{folder.path("job/failures")};
  CHECK(std::distance(begin(files), end(files)) == 1);
}

} // namespace test_failures
