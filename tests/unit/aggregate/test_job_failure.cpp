#include "aggregate/job_failure.h"

#include <catch2/catch_test_macros.hpp>

#include <csignal>

namespace test_job_failure {

using namespace debrief;
using job::Failure;

namespace {

constexpr Microseconds kEnd = 1'795'114'850'000'000;

job::Job failed_job(std::vector<Failure> failures) {
  job::Job job;
  job.description.status = "Failed";
  job.description.end = kEnd;
  job.description.exit_code = 1;
  job.failures = std::move(failures);
  return job;
}

Failure raised(const std::string& type, double seconds_before_end, std::int64_t process,
               const std::string& message = "") {
  Failure failure;
  failure.type = type;
  failure.message = message;
  failure.process = process;
  failure.time = kEnd - static_cast<Microseconds>(seconds_before_end * 1e6);
  return failure;
}

std::optional<std::string> cause_of(const job::Job& job) {
  const auto failure = aggregate::job_failure(job);
  return failure ? failure->type : std::nullopt;
}

} // namespace

TEST_CASE("a job that ended well, was stopped or runs has not failed") {
  for (const char* status : {"Completed", "Stopped", "InProgress"}) {
    job::Job job = failed_job({raised("ValueError", 1, 7)});
    job.description.status = status;
    CHECK_FALSE(aggregate::job_failure(job));
  }
  CHECK_FALSE(aggregate::job_failure(job::Job{}));
}

TEST_CASE("a job whose status is not known has failed where something says why") {
  job::Job job = failed_job({raised("ValueError", 1, 7)});
  job.description.status.reset();
  CHECK(cause_of(job) == "ValueError");
}

TEST_CASE("an exit code without an exception is said to be that") {
  const auto failure = aggregate::job_failure(failed_job({}));
  REQUIRE(failure);
  CHECK_FALSE(failure->type);
  CHECK(failure->exit_code == 1);
  CHECK(failure->time == kEnd);
  CHECK(failure->processes == 0);
}

TEST_CASE("the first exception in time is the cause") {
  const auto failure =
      aggregate::job_failure(failed_job({raised("ValueError", 3, 7), raised("KeyError", 2, 8)}));
  REQUIRE(failure);
  CHECK(failure->type == "ValueError");
  CHECK(failure->processes == 2);
  CHECK(failure->exit_code == 1);
}

TEST_CASE("what tells of another process's end is no cause") {
  const Failure last = raised("ValueError", 1, 9);
  for (const char* type : {"torch.distributed.DistBackendError", "BrokenPipeError",
                           "torch.distributed.elastic.multiprocessing.errors.ChildFailedError"})
    CHECK(cause_of(failed_job({raised(type, 3, 7), last})) == "ValueError");
  CHECK(cause_of(failed_job({raised("RuntimeError", 3, 7,
                                    "[third_party/gloo/gloo/transport/tcp/pair.cc:534] "
                                    "Connection closed by peer [127.0.0.1]:2000"),
                             last})) == "ValueError");
  Failure terminated;
  terminated.process = 8;
  terminated.signal = SIGTERM;
  terminated.time = kEnd - 3 * kSecond;
  CHECK(cause_of(failed_job({terminated, last})) == "ValueError");
}

TEST_CASE("ranks that lost each other say so where nothing says why") {
  Failure rank = raised("torch.distributed.DistBackendError", 3, 7);
  rank.rank = 2;
  const auto failure = aggregate::job_failure(failed_job({raised("BrokenPipeError", 4, 5), rank}));
  REQUIRE(failure);
  CHECK(failure->rank == 2);
}

TEST_CASE("a rank that a signal killed is the cause of what its launcher raised") {
  Failure killed;
  killed.process = 8;
  killed.rank = 1;
  killed.signal = SIGKILL;
  killed.time = kEnd - 3 * kSecond;
  const auto failure =
      aggregate::job_failure(failed_job({killed, raised("a.ChildFailedError", 1, 7)}));
  REQUIRE(failure);
  CHECK(failure->signal == SIGKILL);
  CHECK(failure->rank == 1);
  CHECK_FALSE(failure->type);
  CHECK_FALSE(failure->exit_code); // the launcher's is not this process's
}

TEST_CASE("a process whose parent had a reason of its own was none of the job's") {
  Failure probe = raised("ModuleNotFoundError", 500, 8);
  probe.parent = 7;
  CHECK(cause_of(failed_job({probe, raised("ValueError", 1, 7)})) == "ValueError");
  // But a launcher's reason is its child.
  CHECK(cause_of(failed_job({probe, raised("CalledProcessError", 1, 7)})) == "ModuleNotFoundError");
}

TEST_CASE("only the last attempt of a launcher ended the job") {
  Failure first = raised("ValueError", 500, 8);
  first.attempt = 0;
  Failure second = raised("KeyError", 3, 9);
  second.attempt = 1;
  CHECK(cause_of(failed_job({first, second, raised("a.ChildFailedError", 1, 7)})) == "KeyError");
}

TEST_CASE("a signal that ends a command has nothing to do with exceptions of an hour before") {
  job::Job job = failed_job({raised("ValueError", 3600, 8)});
  job.description.exit_code = 137;
  job.description.signal = SIGKILL;
  const auto failure = aggregate::job_failure(job);
  REQUIRE(failure);
  CHECK_FALSE(failure->type);
  CHECK(failure->signal == SIGKILL);
}

TEST_CASE("a rank whose command failed fails the job, whatever the first rank's did") {
  Failure rank;
  rank.ended_command = true;
  rank.exit_code = 3;
  rank.rank = 5;
  job::Job job = failed_job({rank});
  job.description.status = "Completed";
  job.description.exit_code = 0;
  const auto failure = aggregate::job_failure(job);
  REQUIRE(failure);
  CHECK(failure->rank == 5);
  CHECK(failure->exit_code == 3);
}

} // namespace test_job_failure
