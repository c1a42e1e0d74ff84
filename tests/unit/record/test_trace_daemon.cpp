#include "record/node_name.h"
#include "record/step_shim.h"
#include "record/trace_daemon.h"
#include "support.h"

#include <catch2/catch_test_macros.hpp>

#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <fstream>
#include <iterator>
#include <thread>

namespace test_trace_daemon {

using namespace debrief;
using namespace std::chrono_literals;

namespace {

using Clock = record::WindowPlan::Clock;

std::string request(std::int32_t mask, std::int32_t pid) {
  std::string bytes(40, '\0');
  const std::uint64_t size = 20;
  std::memcpy(bytes.data(), &size, sizeof size);
  std::memcpy(bytes.data() + 8, "req", 3);
  const std::array<std::int32_t, 5> payload{mask, 1, 0, 0, pid};
  bytes.append(reinterpret_cast<const char*>(payload.data()), sizeof payload);
  return bytes;
}

std::string value(const record::Environment& environment, const std::string& name) {
  for (const auto& [key, text] : environment)
    if (key == name) return text;
  return "(not set)";
}

/// As the shim does in the process.
void set_steps(const record::TraceDaemon& daemon, std::int32_t pid, int steps) {
  const std::string folder = value(daemon.environment(), "DEBRIEF_RECORD_TRACES");
  std::ofstream{folder + "/steps." + std::to_string(pid)} << steps << "\n";
}

/// Where the shim is told of a window.
std::string told(const record::TraceDaemon& daemon) {
  return value(daemon.environment(), "DEBRIEF_RECORD_TRACES") + "/window";
}

std::string read(const std::string& path) {
  std::ifstream file{path};
  return {std::istreambuf_iterator<char>{file}, {}};
}

std::string config(record::TraceDaemon& daemon, std::int32_t pid, Clock::time_point now,
                   std::int32_t mask = 3) {
  const std::string reply = daemon.answer(request(mask, pid), now);
  return reply.size() < 40 ? "(none)" : reply.substr(40);
}

struct Recording {
  test::Folder job;
  record::RecorderFolder folder;
  record::StepShim shim{folder, job.path()};
  record::TraceDaemon daemon;

  explicit Recording(record::TraceDaemon::Options options = {})
      : daemon(
            folder,
            [&] {
              options.shim_log = shim.log();
              return options;
            }(),
            job.path()) {}
};

} // namespace

TEST_CASE("a process that steps is told to be ready, and the shim when to begin") {
  Recording recording;
  const auto pid = static_cast<std::int32_t>(::getpid());
  const Clock::time_point now = Clock::now();
  CHECK(config(recording.daemon, pid, now).empty());
  set_steps(recording.daemon, pid, 1);
  CHECK(config(recording.daemon, pid, now + 5s, 1).empty()); // a trace is being recorded
  const std::string text = config(recording.daemon, pid, now + 6s);
  CHECK(text.starts_with("ACTIVITIES_LOG_FILE=" + recording.job.path("traces/window-1/") +
                         record::node_name() + ".pt.trace.json\nPROFILE_START_ITERATION=0\n"));
  CHECK(text.find("\nACTIVITIES_ITERATIONS=1\n") != std::string::npos);
  CHECK(std::filesystem::is_directory(recording.job.path("traces/window-1")));
  set_steps(recording.daemon, pid, 19);
  recording.daemon.look(now + 12s);
  CHECK_FALSE(std::filesystem::exists(told(recording.daemon)));
  set_steps(recording.daemon, pid, 20);
  recording.daemon.look(now + 13s);
  CHECK(read(told(recording.daemon)) == "1 0 4\n");
}

TEST_CASE("a script's own profiler is left alone") {
  Recording recording;
  std::ofstream{recording.shim.log(), std::ios::app} << "1 python\n1 torch 2.11.0\n1 profiler\n";
  set_steps(recording.daemon, 7, 100);
  CHECK(config(recording.daemon, 7, Clock::now()).empty());
  recording.daemon.start();
  recording.daemon.stop();
  REQUIRE(recording.daemon.notes().size() == 1);
  CHECK(recording.daemon.notes().front().find("torch.profiler itself") != std::string::npos);
}

TEST_CASE("a job that captures CUDA graphs before its first window keeps its windows") {
  Recording recording;
  std::ofstream{recording.shim.log(), std::ios::app} << "7 python\n7 torch 2.11.0\n7 graphs\n";
  set_steps(recording.daemon, 7, 100);
  const Clock::time_point now = Clock::now();
  CHECK_FALSE(config(recording.daemon, 7, now).empty());
  recording.daemon.look(now + 1s);
  CHECK_FALSE(config(recording.daemon, 7, now + 6s).empty());
}

TEST_CASE("a job that captures a CUDA graph after a window gets no further one") {
  Recording recording;
  set_steps(recording.daemon, 7, 100);
  const Clock::time_point now = Clock::now();
  CHECK_FALSE(config(recording.daemon, 7, now).empty());
  recording.daemon.look(now + 1s);
  CHECK_FALSE(config(recording.daemon, 7, now + 6s).empty());
  std::ofstream{recording.shim.log(), std::ios::app} << "7 graphs\n";
  recording.daemon.look(now + 601s);
  CHECK(read(told(recording.daemon)) == "1 0 4\n");
  CHECK(config(recording.daemon, 8, now + 602s).empty());
  recording.daemon.start();
  recording.daemon.stop();
  REQUIRE_FALSE(recording.daemon.notes().empty());
  CHECK(recording.daemon.notes().front().find("CUDA graph") != std::string::npos);
}

TEST_CASE("without the shim there are no windows, even where they are asked for") {
  const test::Folder job;
  const record::RecorderFolder folder;
  record::TraceDaemon::Options options;
  for (const bool asked : {false, true}) {
    options.asked = asked;
    const record::TraceDaemon daemon{folder, options, job.path()};
    CHECK(daemon.environment().empty());
    REQUIRE(daemon.notes().size() == 1);
    CHECK(daemon.notes().front().find("--no-steps") != std::string::npos);
  }
}

TEST_CASE("a path that libkineto would misread turns traces off") {
  for (const char* name : {"a#b", "a=b", "run.json", "x.pt.trace.json.d"}) {
    const test::Folder jobs;
    const record::RecorderFolder folder;
    record::TraceDaemon::Options options;
    options.asked = true;
    options.shim_log = jobs.path("log");
    const record::TraceDaemon daemon{folder, options, jobs.path(name)};
    CHECK(daemon.environment().empty());
    REQUIRE(daemon.notes().size() == 1);
    CHECK(daemon.notes().front().find("libkineto cannot take") != std::string::npos);
  }
}

TEST_CASE("the socket answers, refuses odd packets and goes on") {
  Recording recording;
  recording.daemon.start();
  const std::string folder = value(recording.daemon.environment(), "KINETO_IPC_SOCKET_DIR");
  CHECK(folder.size() <= 50);
  const int client = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  const auto address = [&](const char* name) {
    sockaddr_un made{};
    made.sun_family = AF_UNIX;
    std::strncpy(made.sun_path, (folder + "/" + name).c_str(), sizeof made.sun_path - 1);
    return made;
  };
  const sockaddr_un own = address("client");
  const sockaddr_un daemon = address("dynolog");
  REQUIRE(::bind(client, reinterpret_cast<const sockaddr*>(&own), sizeof own) == 0);
  const auto send = [&](const std::string& bytes) {
    return ::sendto(client, bytes.data(), bytes.size(), 0,
                    reinterpret_cast<const sockaddr*>(&daemon), sizeof daemon);
  };
  for (const std::string& odd :
       {std::string{}, std::string(39, 'x'), std::string(4096, '\0'), std::string(9000, 'r')})
    CHECK(send(odd) == static_cast<ssize_t>(odd.size()));
  CHECK(send(request(3, 7)) > 0);
  std::array<char, 256> reply{};
  timeval patience{5, 0};
  ::setsockopt(client, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  CHECK(::recv(client, reply.data(), reply.size(), 0) == 40); // the only answer: nothing to do
  CHECK(::recv(client, reply.data(), reply.size(), MSG_DONTWAIT) < 0);
  ::close(client);
  recording.daemon.stop();
}

TEST_CASE("the end of a recording packs its traces and says what is missing") {
  Recording recording;
  recording.daemon.start();
  std::filesystem::create_directories(recording.job.path("traces/window-1"));
  std::ofstream{recording.job.path("traces/window-1/box_7.pt.trace.json")}
      << "{\"traceEvents\": [\n";
  recording.daemon.stop();
  CHECK(std::filesystem::exists(recording.job.path("traces/window-1/box_7.pt.trace.json.gz")));
  CHECK(recording.daemon.notes().empty());

  Recording old;
  std::ofstream{old.shim.log(), std::ios::app} << "1 python\n1 torch 2.6.0\n";
  old.daemon.start();
  old.daemon.stop();
  REQUIRE(old.daemon.notes().size() == 1);
  CHECK(old.daemon.notes().front().find("PyTorch 2.6.0 is older") != std::string::npos);

  Recording other;
  std::ofstream{other.shim.log(), std::ios::app} << "1 python\n";
  other.daemon.start();
  other.daemon.stop();
  CHECK(other.daemon.notes().empty()); // the shim's own note says that PyTorch was not imported

  Recording brief;
  std::ofstream{brief.shim.log(), std::ios::app} << "7 python\n7 torch 2.11.0\n";
  set_steps(brief.daemon, 7, 12);
  CHECK_FALSE(config(brief.daemon, 7, Clock::now()).empty());
  brief.daemon.start();
  brief.daemon.stop();
  REQUIRE(brief.daemon.notes().size() == 1);
  CHECK(brief.daemon.notes().front().find("after 12 optimizer steps") != std::string::npos);
}

} // namespace test_trace_daemon
