// What libkineto and its daemon (Meta's dynolog) say to each other, over datagrams:
//
//     u64 size; char type[32];  then `size` bytes
//     "ctxt": i32 gpu; i32 pid; i64 job            a process registers; the answer is an i32 count
//     "req":  i32 mask; i32 n; i64 job; i32 pid[n] a process asks what to record; the answer is
//     text
//
// All in the machine's own byte order. The first pid is the process's, the others are its
// ancestors'.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace debrief::record {

/// Bits of a request's mask.
inline constexpr std::int32_t kWantsActivities = 2;

/// Longer datagrams are refused.
inline constexpr std::size_t kMaxPacket = 4096;

struct KinetoRequest {
  bool registers = false;         ///< "ctxt", else "req"
  std::int32_t mask = 0;          ///< of "req"
  std::vector<std::int32_t> pids; ///< never empty; only positive numbers
};

/// Nothing where the packet is not exactly what libkineto sends.
std::optional<KinetoRequest> parse_kineto_request(std::string_view packet);

/// The answer to "req": what to record, or empty for nothing.
std::string kineto_config_reply(std::string_view config);

/// The answer to "ctxt": how many processes have registered.
std::string kineto_count_reply(std::int32_t count);

} // namespace debrief::record
