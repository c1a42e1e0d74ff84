#include "record/kineto_wire.h"

#include <array>
#include <cstring>

namespace debrief::record {

namespace {

constexpr std::size_t kTypeSize = 32;
constexpr std::size_t kHeadSize = sizeof(std::uint64_t) + kTypeSize;
constexpr std::size_t kFixedSize = 16; ///< of both messages
/// Deeper than any tree of processes.
constexpr std::int32_t kMostPids = 512;

template <typename Number>
Number number_at(std::string_view bytes, std::size_t place) {
  Number number{};
  std::memcpy(&number, bytes.data() + place, sizeof number);
  return number;
}

/// Whether the type's field is this text, and nothing but zeros after it.
bool is_type(std::string_view field, std::string_view type) {
  return field.starts_with(type) && field.find_first_not_of('\0', type.size()) == field.npos;
}

std::string packet_of(std::string_view type, std::string_view payload) {
  std::array<char, kTypeSize> field{};
  std::memcpy(field.data(), type.data(), type.size());
  const auto size = static_cast<std::uint64_t>(payload.size());
  std::string packet(sizeof size, '\0');
  std::memcpy(packet.data(), &size, sizeof size);
  packet.append(field.data(), field.size());
  packet.append(payload);
  return packet;
}

} // namespace

std::optional<KinetoRequest> parse_kineto_request(std::string_view packet) {
  if (packet.size() < kHeadSize + kFixedSize || packet.size() > kMaxPacket) return std::nullopt;
  const std::string_view payload = packet.substr(kHeadSize);
  if (number_at<std::uint64_t>(packet, 0) != payload.size()) return std::nullopt;
  const std::string_view type = packet.substr(sizeof(std::uint64_t), kTypeSize);
  KinetoRequest request;
  if (is_type(type, "ctxt")) {
    if (payload.size() != kFixedSize) return std::nullopt;
    request.registers = true;
    request.pids.push_back(number_at<std::int32_t>(payload, 4));
  } else if (is_type(type, "req")) {
    request.mask = number_at<std::int32_t>(payload, 0);
    const auto count = number_at<std::int32_t>(payload, 4);
    if (count < 1 || count > kMostPids) return std::nullopt;
    const auto pids = static_cast<std::size_t>(count);
    if (payload.size() != kFixedSize + pids * sizeof(std::int32_t)) return std::nullopt;
    for (std::size_t i = 0; i < pids; ++i)
      request.pids.push_back(
          number_at<std::int32_t>(payload, kFixedSize + i * sizeof(std::int32_t)));
  } else {
    return std::nullopt;
  }
  for (const std::int32_t pid : request.pids)
    if (pid <= 0) return std::nullopt;
  return request;
}

std::string kineto_config_reply(std::string_view config) {
  return packet_of("req", config);
}

std::string kineto_count_reply(std::int32_t count) {
  std::array<char, sizeof count> bytes{};
  std::memcpy(bytes.data(), &count, sizeof count);
  return packet_of("ctxt", {bytes.data(), bytes.size()});
}

} // namespace debrief::record
