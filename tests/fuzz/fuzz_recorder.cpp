// What the recorder is told by processes that it does not trust: packets on libkineto's socket, the
// shim's log, environments, and the user's --trace. The first byte chooses.
#include "expect.h"
#include "record/kineto_wire.h"
#include "record/process_rank.h"
#include "record/shim_log.h"
#include "record/trace_windows.h"
#include "util/error.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

using namespace debrief;

namespace {

void packet(std::string_view bytes) {
  const auto request = record::parse_kineto_request(bytes);
  if (!request) return;
  fuzz::expect(!request->pids.empty(), "a request is some process's", bytes);
  fuzz::expect(std::all_of(request->pids.begin(), request->pids.end(),
                           [](std::int32_t pid) { return pid > 0; }),
               "processes have positive numbers", bytes);
  const std::size_t size = request->registers ? 56 : 56 + 4 * request->pids.size();
  fuzz::expect(bytes.size() == size, "all of a packet is read", bytes);
}

/// Four bytes each: process, its peer's, steps, seconds.
void questions(std::string_view bytes) {
  record::WindowPlan plan{{20, 4, std::chrono::seconds{60}}};
  record::WindowPlan::Clock::time_point now;
  std::int64_t last = 0;
  for (; bytes.size() >= 4; bytes.remove_prefix(4)) {
    const auto at = [&](std::size_t place) { return static_cast<unsigned char>(bytes[place]); };
    now += std::chrono::seconds{at(3)};
    const std::int32_t pid = at(0) + 1;
    const std::int64_t steps = std::int64_t{at(2)} * at(2);
    plan.note_steps(pid, steps, now);
    if (const auto ready = plan.ask({pid, at(1) + 300}, (at(1) & 1U) != 0, now))
      fuzz::expect(*ready == last + 1, "it gets ready for the next window", bytes);
    const auto window = plan.decide(now);
    if (!window) continue;
    fuzz::expect(window->number == last + 1, "windows come in order", bytes);
    fuzz::expect(window->iteration == 0 || window->iteration > steps, "a window lies ahead", bytes);
    last = window->number;
  }
}

void texts(std::string_view bytes) {
  record::ShimLog log;
  record::add_shim_lines(bytes, log);
  fuzz::expect(log.torch.size() <= 10 && log.errors.size() <= 10, "few lines are kept", bytes);
  const record::ProcessRank rank = record::rank_in(bytes);
  fuzz::expect(!rank.rank || *rank.rank >= 0, "no rank is negative", bytes);
  fuzz::expect(!rank.world_size || !rank.rank || *rank.rank < *rank.world_size,
               "a rank lies within its world", bytes);
  try {
    const record::TraceWindows windows = record::parse_trace_windows(bytes);
    fuzz::expect(windows.steps > 0 && windows.after >= 0 && windows.every.count() >= 0,
                 "windows that can be had", bytes);
  } catch (const Error&) {
    // One sentence.
  }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view bytes{reinterpret_cast<const char*>(data) + 1, size - 1};
  switch (data[0] % 3) {
  case 0:
    packet(bytes);
    break;
  case 1:
    questions(bytes);
    break;
  default:
    texts(bytes);
  }
  return 0;
}
