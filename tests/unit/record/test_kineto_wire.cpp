#include "record/kineto_wire.h"

#include <catch2/catch_test_macros.hpp>

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

namespace test_kineto_wire {

using namespace debrief;

namespace {

template <typename Number>
void put(std::string& bytes, Number number) {
  bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
}

std::string packet(std::string type, const std::string& payload) {
  std::string bytes;
  put(bytes, static_cast<std::uint64_t>(payload.size()));
  type.resize(32, '\0');
  return bytes + type + payload;
}

std::string request(std::int32_t mask, std::int32_t count, const std::vector<std::int32_t>& pids) {
  std::string bytes;
  put(bytes, mask);
  put(bytes, count);
  put(bytes, std::int64_t{0});
  for (const std::int32_t pid : pids)
    put(bytes, pid);
  return bytes;
}

std::string context(std::int32_t pid) {
  std::string bytes;
  put(bytes, std::int32_t{0});
  put(bytes, pid);
  put(bytes, std::int64_t{7});
  return bytes;
}

} // namespace

TEST_CASE("libkineto's packets are read") {
  const auto asked = record::parse_kineto_request(packet("req", request(3, 2, {4711, 4000})));
  REQUIRE(asked);
  CHECK_FALSE(asked->registers);
  CHECK(asked->mask == 3);
  CHECK(asked->pids == std::vector<std::int32_t>{4711, 4000});
  const auto registers = record::parse_kineto_request(packet("ctxt", context(4711)));
  REQUIRE(registers);
  CHECK(registers->registers);
  CHECK(registers->pids == std::vector<std::int32_t>{4711});
}

TEST_CASE("odd packets are refused") {
  const std::string good = packet("req", request(3, 1, {4711}));
  REQUIRE(record::parse_kineto_request(good));
  for (std::size_t size = 0; size < good.size(); ++size)
    CHECK_FALSE(record::parse_kineto_request(good.substr(0, size)));
  CHECK_FALSE(record::parse_kineto_request(good + '\0'));
  for (const char* type : {"", "reqs", "re", "REQ", "stop"})
    CHECK_FALSE(record::parse_kineto_request(packet(type, request(3, 1, {4711}))));
  CHECK_FALSE(
      record::parse_kineto_request(packet(std::string{"req\0x", 5}, request(3, 1, {4711}))));
  CHECK_FALSE(record::parse_kineto_request(packet(std::string(32, 'r'), request(3, 1, {4711}))));
  CHECK_FALSE(record::parse_kineto_request(packet("req", request(3, 0, {}))));
  CHECK_FALSE(record::parse_kineto_request(packet("req", request(3, 2, {4711}))));
  CHECK_FALSE(record::parse_kineto_request(packet("req", request(3, -1, {4711}))));
  CHECK_FALSE(record::parse_kineto_request(packet("req", request(3, INT32_MAX, {4711}))));
  CHECK_FALSE(record::parse_kineto_request(packet("req", request(3, 1, {0}))));
  CHECK_FALSE(record::parse_kineto_request(packet("req", request(3, 1, {-5}))));
  CHECK_FALSE(record::parse_kineto_request(packet("ctxt", context(0))));
  CHECK_FALSE(record::parse_kineto_request(packet("ctxt", context(1) + "more")));
  CHECK_FALSE(record::parse_kineto_request(
      packet("req", request(3, 2000, std::vector<std::int32_t>(2000, 1)))));
}

TEST_CASE("answers have libkineto's frame") {
  const std::string reply = record::kineto_config_reply("A=1\n");
  REQUIRE(reply.size() == 44);
  std::uint64_t size = 0;
  std::memcpy(&size, reply.data(), sizeof size);
  CHECK(size == 4);
  CHECK(reply.substr(8, 4) == std::string{"req\0", 4});
  CHECK(reply.substr(40) == "A=1\n");
  CHECK(record::kineto_config_reply("").size() == 40);
  const std::string count = record::kineto_count_reply(2);
  REQUIRE(count.size() == 44);
  CHECK(count.substr(8, 5) == std::string{"ctxt\0", 5});
  CHECK(count[40] == 2);
}

} // namespace test_kineto_wire
