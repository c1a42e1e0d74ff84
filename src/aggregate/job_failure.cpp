#include "aggregate/job_failure.h"

#include <algorithm>
#include <array>
#include <csignal>
#include <string_view>
#include <vector>

namespace debrief::aggregate {

namespace {

using job::Failure;

/// A command that a signal ended was not ended by an exception that came longer before.
constexpr Microseconds kAtTheEnd = kMinute;

bool has_failed(const job::Job& job) {
  constexpr std::string_view kFailed = "Failed"; // SageMaker's word, as readers of others have it
  const auto& status = job.description.status;
  if (std::any_of(job.failures.begin(), job.failures.end(),
                  [](const Failure& failure) { return failure.ended_command; }))
    return true;
  return status ? *status == kFailed : !job.failures.empty();
}

/// Exceptions of processes that wait for others, or launch them.
bool tells_of_others(const Failure& failure) {
  constexpr std::array<std::string_view, 12> kTypes{
      "ChildFailedError", "ProcessRaisedException", "ProcessExitedException", "CalledProcessError",
      "SignalException",  "BrokenProcessPool",      "DistBackendError",       "DistNetworkError",
      "BrokenPipeError",  "ConnectionResetError",   "ConnectionRefusedError", "RayTaskError"};
  constexpr std::array<std::string_view, 8> kMessages{
      "NCCL error",        "Connection closed by peer",     "Connection reset by peer",
      "Socket closed",     "collective operation timeout",  "third_party/gloo",
      "NCCL communicator", "failed to connect to any store"};
  const std::string_view type = std::string_view{failure.type}.substr(failure.type.rfind('.') + 1);
  return std::find(kTypes.begin(), kTypes.end(), type) != kTypes.end() ||
         std::any_of(kMessages.begin(), kMessages.end(), [&](std::string_view text) {
           return failure.message.find(text) != failure.message.npos;
         });
}

bool follows(const Failure& failure) {
  return tells_of_others(failure) || (failure.type.empty() && failure.signal == SIGTERM);
}

bool says_why(const Failure& failure) {
  return !failure.type.empty() || failure.signal;
}

/// Without those of attempts that a launcher has repeated, and of processes whose parent had a
/// reason of its own to end.
std::vector<const Failure*> of_last_attempt(const std::vector<Failure>& failures) {
  std::int64_t last = 0;
  for (const Failure& failure : failures)
    last = std::max(last, failure.attempt.value_or(0));
  std::vector<const Failure*> out;
  for (const Failure& failure : failures) {
    const auto caught = [&](const Failure& other) {
      return failure.parent && other.process == failure.parent && other.node == failure.node &&
             says_why(other) && !follows(other);
    };
    if (failure.attempt.value_or(last) == last &&
        std::none_of(failures.begin(), failures.end(), caught))
      out.push_back(&failure);
  }
  return out;
}

/// Of failures in the order of time.
const Failure* cause_of(const std::vector<const Failure*>& failures) {
  const auto first = [&](const auto& holds) -> const Failure* {
    const auto found = std::find_if(failures.begin(), failures.end(),
                                    [&](const Failure* failure) { return holds(*failure); });
    return found == failures.end() ? nullptr : *found;
  };
  if (const auto* cause = first([](const Failure& it) { return says_why(it) && !follows(it); }))
    return cause;
  if (const auto* cause = first([](const Failure& it) { return !follows(it) && it.exit_code; }))
    return cause;
  // Ranks that lost each other, with nobody to say why.
  if (const auto* cause = first([](const Failure& it) { return says_why(it) && it.rank; }))
    return cause;
  return first(says_why);
}

result::Failure described(const Failure& cause) {
  const auto text = [](const std::string& from) {
    return from.empty() ? std::nullopt : std::optional{from};
  };
  result::Failure failure;
  failure.type = text(cause.type);
  failure.message = text(cause.message);
  for (const job::Frame& frame : cause.frames)
    failure.frames.push_back({frame.file, frame.line, frame.function, frame.of_library});
  failure.time = cause.time;
  failure.node = text(cause.node);
  failure.process = cause.process;
  failure.rank = cause.rank;
  failure.step = cause.step;
  failure.exit_code = cause.exit_code;
  failure.signal = cause.signal;
  return failure;
}

} // namespace

std::optional<result::Failure> job_failure(const job::Job& job) {
  if (!has_failed(job)) return std::nullopt;
  const job::JobDescription& description = job.description;
  std::vector<const Failure*> failures = of_last_attempt(job.failures);
  if (description.signal && description.end)
    std::erase_if(failures, [&](const Failure* failure) {
      return failure->time && *failure->time < *description.end - kAtTheEnd;
    });
  const Failure* cause = cause_of(failures);
  result::Failure failure = cause != nullptr ? described(*cause) : result::Failure{};
  failure.processes = std::ssize(failures);
  if (cause == nullptr || (!cause->exit_code && !cause->signal)) {
    failure.exit_code = description.exit_code;
    failure.signal = description.signal;
  }
  if (!failure.time) failure.time = description.end;
  return failure;
}

} // namespace debrief::aggregate
