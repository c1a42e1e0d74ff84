#include "findings/failure_kind.h"

#include <catch2/catch_test_macros.hpp>

#include <csignal>

namespace test_failure_kind {

using namespace debrief;
using findings::FailureKind;

namespace {

FailureKind kind_of(const std::string& type, const std::string& message) {
  result::Failure failure;
  failure.type = type;
  failure.message = message;
  return findings::kind_of(failure);
}

result::Failure ended(std::optional<std::int64_t> code, std::optional<std::int64_t> signal) {
  result::Failure failure;
  failure.exit_code = code;
  failure.signal = signal;
  return failure;
}

constexpr const char* kOld = "CUDA out of memory. Tried to allocate 512.00 MiB (GPU 0; 15.90 GiB "
                             "total capacity; 14.80 GiB already allocated; 301.75 MiB free; 15.0 "
                             "GiB reserved in total by PyTorch)";
constexpr const char* kNew = "CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total "
                             "capacity of 139.80 GiB of which 1.50 GiB is free. Including "
                             "non-PyTorch memory, this process has 138 GiB memory in use.";

} // namespace

TEST_CASE("exceptions are known by their types and messages") {
  CHECK(kind_of("torch.OutOfMemoryError", kNew) == FailureKind::gpu_memory);
  CHECK(kind_of("RuntimeError", kOld) == FailureKind::gpu_memory);
  CHECK(kind_of("MemoryError", "") == FailureKind::host_memory);
  CHECK(kind_of("RuntimeError", "DefaultCPUAllocator: can't allocate memory: you tried to "
                                "allocate 8 bytes") == FailureKind::host_memory);
  CHECK(kind_of("RuntimeError", "CUDA error: device-side assert triggered") ==
        FailureKind::device_assert);
  CHECK(kind_of("torch.AcceleratorError", "CUDA error: an illegal memory access") ==
        FailureKind::gpu_error);
  CHECK(kind_of("RuntimeError", "unable to write to file: out of shared memory") ==
        FailureKind::shared_memory);
  CHECK(kind_of("RuntimeError", "DataLoader worker (pid 77) is killed by signal: Segmentation "
                                "fault. ") == FailureKind::loader_worker);
  CHECK(kind_of("OSError", "[Errno 28] No space left on device") == FailureKind::disk_full);
  CHECK(kind_of("ModuleNotFoundError", "No module named 'a'") == FailureKind::no_module);
  CHECK(kind_of("torch.distributed.DistBackendError", "timeout") == FailureKind::collective);
  CHECK(kind_of("ValueError", "memory of a cat") == FailureKind::exception);
}

TEST_CASE("ends without an exception are known by signal and exit code") {
  CHECK(findings::kind_of(ended({}, SIGKILL)) == FailureKind::killed);
  CHECK(findings::kind_of(ended(137, {})) == FailureKind::killed);
  CHECK(findings::kind_of(ended(134, {})) == FailureKind::crashed);
  CHECK(findings::kind_of(ended(3, {})) == FailureKind::exit_code);
  CHECK(findings::kind_of(ended(129, {})) == FailureKind::exit_code);
  CHECK(findings::kind_of(ended({}, {})) == FailureKind::unknown);
}

TEST_CASE("what was asked for and what was free is in the message, old and new") {
  const findings::FailedAllocation then = findings::failed_allocation(kOld);
  CHECK(then.asked == 512.0 * 1048576);
  CHECK(then.free == 301.75 * 1048576);
  const findings::FailedAllocation now = findings::failed_allocation(kNew);
  CHECK(now.asked == 2.0 * 1073741824);
  CHECK(now.free == 1.5 * 1073741824);
  for (const char* text : {"", "Tried to allocate ", "Tried to allocate GiB", " is free", "is free",
                           "Tried to allocate 2.00 parsecs", "Tried to allocate -1 GiB",
                           "Tried to allocate inf GiB", "1e400 GiB is free", "x GiB free;"}) {
    CHECK_FALSE(findings::failed_allocation(text).asked);
    CHECK_FALSE(findings::failed_allocation(text).free);
  }
}

TEST_CASE("the last call of the job's own code tells most") {
  result::Failure failure;
  CHECK(findings::telling_frame(failure) == nullptr);
  failure.frames = {{"torch/a.py", 1, "f", true}};
  CHECK(findings::telling_frame(failure)->file == "torch/a.py");
  failure.frames = {{"a.py", 1, "f", false}, {"b.py", 2, "g", false}, {"torch/a.py", 1, "h", true}};
  CHECK(findings::telling_frame(failure)->file == "b.py");
}

} // namespace test_failure_kind
