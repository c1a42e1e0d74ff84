#include "finding_support.h"

#include <csignal>

namespace test_failed {

using namespace debrief;
using namespace debrief::test;

namespace {

const job::MetricName kUsed = {"gpu", "gpu0", "GPUMemoryUsedBytes"};
const job::MetricName kUsedPercent = {"gpu", "gpu0", "GPUMemoryUtilization"};
const job::MetricName kOomKills = {"cgroup", "OOMKills", ""};
const job::MetricName kXids = {"gpu", "gpu0", "GPUXIDErrors"};

/// Ends at at(200) with exit code 1.
job::Job failed_job() {
  job::Job job;
  add(job, gpu(0), flat(kSamples, 95));
  job.description.status = "Failed";
  job.description.exit_code = 1;
  job.description.start = at(0);
  job.description.end = at(200);
  return job;
}

job::Job raising(const std::string& type, const std::string& message) {
  job::Job job = failed_job();
  job::Failure failure;
  failure.type = type;
  failure.message = message;
  failure.frames = {{"train.py", 9, "<module>", false},
                    {"model.py", 41, "forward", false},
                    {"torch/nn/functional.py", 2000, "linear", true}};
  failure.time = at(200);
  failure.step = 312;
  job.failures = {failure};
  return job;
}

constexpr const char* kOutOfMemory =
    "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 139.80 GiB of "
    "which 1.50 GiB is free.";

/// From 10 GB to 150 GB over the whole job.
std::vector<double> climb() {
  std::vector<double> values;
  for (std::size_t i = 0; i < kSamples; ++i)
    values.push_back(10e9 + 140e9 * static_cast<double>(i) / (kSamples - 1));
  return values;
}

/// 0, and `count` from `from` seconds on.
std::vector<double> rises(double count, double from) {
  std::vector<double> values;
  for (std::size_t i = 0; i < kSamples; ++i)
    values.push_back(static_cast<double>(i) / 2 >= from ? count : 0);
  return values;
}

} // namespace

TEST_CASE("a job that ended well has not failed") {
  job::Job job = raising("ValueError", "");
  job.description.status = "Completed";
  CHECK_FALSE(finds(job, "failed"));
  job.description.status = "Stopped";
  CHECK_FALSE(finds(job, "failed"));
}

TEST_CASE("out of memory says where, what was asked for, and how memory grew") {
  job::Job job = raising("torch.OutOfMemoryError", kOutOfMemory);
  add(job, kUsed, climb());
  const Finding finding = found(job, "failed");
  CHECK(finding.severity == Severity::critical);
  CHECK(finding.confidence == Confidence::high);
  CHECK(finding.score == 0);
  CHECK(finding.title == "The job died of CUDA out of memory");
  CHECK(finding.why ==
        "It died at step 312 in forward (model.py:41): it asked for 2.15 GB, 1.61 GB "
        "were free. GPU memory grew by 700 MB per second from the start, up to 150 "
        "GB.");
  CHECK_THAT(finding.next, ContainsSubstring(".detach()"));
  CHECK(evidence(finding, "memory asked for") == 2147483648);
  CHECK(evidence(finding, "step") == 312);
  CHECK(evidence(finding, "exit code") == 1);
}

TEST_CASE("memory that grows is told by iteration where steps are known") {
  job::Job job = raising("torch.OutOfMemoryError", kOutOfMemory);
  add(job, kUsed, climb());
  std::vector<Event> list;
  add_steps(list, 0, 200);
  job.events = events(list);
  CHECK_THAT(found(job, "failed").why, ContainsSubstring("grew by 350 MB per iteration"));
}

TEST_CASE("memory that was full all along did not grow") {
  job::Job job = raising("RuntimeError", kOutOfMemory);
  job.description.hyperparameters["batch_size"] = "64";
  add(job, kUsed, flat(kSamples, 150e9));
  const Finding finding = found(job, "failed");
  CHECK_THAT(finding.why, !ContainsSubstring("grew"));
  CHECK_THAT(finding.next, ContainsSubstring("a smaller batch (now 64)"));
}

TEST_CASE("another exception is told with its message and its place") {
  const Finding finding = found(raising("my.pack.BadBatch", "no labels\x1b[2J"), "failed");
  CHECK(finding.title == "The job died of BadBatch");
  CHECK(finding.why == "It raised my.pack.BadBatch at step 312 in forward (model.py:41): no "
                       "labels\\u{001b}[2J.");
  CHECK_THAT(finding.next, ContainsSubstring("Look at model.py, line 41."));
}

TEST_CASE("the first of several ranks is named") {
  job::Job job = raising("ValueError", "broken");
  job.failures[0].rank = 3;
  job::Failure other;
  other.type = "torch.distributed.DistBackendError";
  other.time = at(199);
  other.rank = 0;
  job.failures.insert(job.failures.begin(), other);
  const Finding finding = found(job, "failed");
  CHECK_THAT(finding.why, ContainsSubstring("Rank 3 raised ValueError"));
  CHECK_THAT(finding.why, ContainsSubstring("2 processes failed, and it was the first."));
}

TEST_CASE("an exit code without an exception is all that is said") {
  const Finding finding = found(failed_job(), "failed");
  CHECK(finding.title == "The job exited with code 1");
  CHECK(finding.why == "It exited with code 1; no exception of a Python process was seen.");
}

TEST_CASE("an exit code at a full GPU is likely out of memory, at 96.9 % it is not") {
  job::Job job = failed_job();
  add(job, kUsedPercent, flat(kSamples, 97));
  add(job, kUsed, climb());
  const Finding finding = found(job, "failed");
  CHECK(finding.title == "The job likely died of GPU out of memory");
  CHECK(finding.confidence == Confidence::medium);
  CHECK_THAT(finding.why, ContainsSubstring("when its GPU's memory was 97% full. GPU memory grew"));
  job::Job less = failed_job();
  add(less, kUsedPercent, flat(kSamples, 96.9));
  CHECK(found(less, "failed").title == "The job exited with code 1");
}

TEST_CASE("the kernel killed a job where its group's counter rose in the last minute") {
  const auto killed = [](const job::MetricName& counter, double from) {
    job::Job job = failed_job();
    job.description.exit_code = 137;
    job.description.signal = SIGKILL;
    add(job, counter, rises(1, from));
    return found(job, "failed");
  };
  const Finding finding = killed(kOomKills, 199);
  CHECK(finding.title == "The kernel killed the job: out of memory");
  CHECK_THAT(finding.why, ContainsSubstring("killed 1 process of the job's control group"));
  CHECK(evidence(finding, "processes killed") == 1);
  CHECK(killed(kOomKills, 138).title == "The job was killed by SIGKILL");
  CHECK(killed({"memory", "OOMKills", ""}, 199).title == "The job was killed by SIGKILL");
}

TEST_CASE("errors of the GPU count where they came in the last minute") {
  job::Job job = raising("RuntimeError", "CUDA error: an illegal memory access was encountered");
  add(job, kXids, rises(2, 190));
  const Finding finding = found(job, "failed");
  CHECK(evidence(finding, "GPU errors") == 2);
  CHECK_THAT(finding.actions.front(), ContainsSubstring("XID errors"));
  job::Job before = raising("RuntimeError", "CUDA error: an illegal memory access");
  add(before, kXids, rises(2, 100));
  CHECK(std::isnan(evidence(found(before, "failed"), "GPU errors")));
}

TEST_CASE("a failure is the verdict, whatever costs more and however little was recorded") {
  job::Job job = raising("ValueError", "broken");
  job.metrics.clear();
  add(job, gpu(0), {50, 50, 50});
  const result::Result little = analyzed(job);
  REQUIRE(little.verdict.finding);
  CHECK(little.findings[*little.verdict.finding].kind == result::FindingKind::failed);
  job.metrics.clear();
  add(job, gpu(0), cycle(kSamples, {100, 0, 0, 0}));
  add_cores(job, 4, cycle(kSamples, {10, 100, 100, 100}));
  const result::Result costly = analyzed(job);
  REQUIRE(costly.verdict.finding);
  CHECK(costly.findings[*costly.verdict.finding].kind == result::FindingKind::failed);
  CHECK(costly.findings.size() > 1);
}

} // namespace test_failed
