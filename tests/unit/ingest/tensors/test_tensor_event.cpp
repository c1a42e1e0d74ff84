#include "event_bytes.h"
#include "ingest/tensors/tensor_event.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <limits>

namespace test_tensor_event {

using namespace debrief;
using namespace debrief::ingest::tensors;
using test::float_tensor;
using test::message_field;
using test::raw_bytes;
using test::tensor_event;

namespace {

job::TensorData decoded(const std::string& frame, const std::string& name = "w") {
  job::TensorData data;
  const auto [tensor, reduction] = job::split_reduction(name);
  REQUIRE(decode_tensor(frame, tensor, reduction, data) == EventTrouble::none);
  return data;
}

EventTrouble trouble(const std::string& frame, const std::string& name = "w") {
  job::TensorData data;
  return decode_tensor(frame, name, job::Reduction::none, data);
}

/// One number without dimensions.
template <typename Value>
std::string scalar(int type, Value value) {
  return std::string{"\x08"} + static_cast<char>(type) + message_field(2, "") +
         message_field(4, raw_bytes(value));
}

} // namespace

TEST_CASE("a tensor is read with its shape and time") {
  const auto data = decoded(tensor_event("w", float_tensor({1, -2.5F, 0})));
  CHECK(data.numeric);
  CHECK(data.values == std::vector<double>{1, -2.5, 0});
  CHECK(data.shape == std::vector<std::int64_t>{3});
  CHECK(data.time == 1'700'000'000'000'000);
}

TEST_CASE("every type of number is read") {
  const auto value = [](const std::string& tensor) {
    const auto data = decoded(tensor_event("w", tensor));
    REQUIRE(data.values.size() == 1);
    CHECK(data.shape.empty());
    return data.values.front();
  };
  CHECK(value(scalar(2, 0.1)) == 0.1);
  CHECK(value(scalar<std::int32_t>(3, -5)) == -5);
  CHECK(value(scalar<std::uint8_t>(4, 200)) == 200);
  CHECK(value(scalar<std::int16_t>(5, -300)) == -300);
  CHECK(value(scalar<std::int8_t>(6, -3)) == -3);
  CHECK(value(scalar<std::int64_t>(9, 1LL << 40)) == std::ldexp(1, 40));
  CHECK(value(scalar<std::uint8_t>(10, 1)) == 1);
  CHECK(value(scalar<std::uint16_t>(14, 0x3fc0)) == 1.5);
  CHECK(value(scalar<std::uint16_t>(17, 60000)) == 60000);
  CHECK(value(scalar<std::uint16_t>(19, 0x3c00)) == 1);
  CHECK(value(scalar<std::uint32_t>(22, 4'000'000'000U)) == 4e9);
  CHECK(value(scalar<std::uint64_t>(23, 1ULL << 50)) == std::ldexp(1, 50));
  CHECK(std::isinf(value(scalar(1, std::numeric_limits<float>::infinity()))));
}

TEST_CASE("texts and complex numbers are no numbers, and no trouble") {
  const auto texts =
      decoded(tensor_event("w", message_field(2, message_field(2, "\x08\x02")) +
                                    message_field(8, "reg:linear") + message_field(8, "")));
  CHECK_FALSE(texts.numeric);
  CHECK(texts.texts == std::vector<std::string>{"reg:linear", ""});
  CHECK_FALSE(decoded(tensor_event("w", scalar(18, 1.0))).numeric);
}

TEST_CASE("an empty tensor has no value") {
  const auto data = decoded(tensor_event("w", float_tensor({})));
  CHECK(data.numeric);
  CHECK(data.values.empty());
  CHECK(data.shape == std::vector<std::int64_t>{0});
}

TEST_CASE("a reduction is known by its name") {
  const std::string frame = tensor_event("smdebug/reductions/abs_mean/a/b", scalar(1, 0.5F));
  CHECK(decoded(frame, "smdebug/reductions/abs_mean/a/b").values.front() == 0.5);
  CHECK(trouble(frame, "a/b") == EventTrouble::other_name);
}

TEST_CASE("what is broken is told apart") {
  const std::string good = tensor_event("w", float_tensor({1, 2}));
  CHECK(trouble(good, "v") == EventTrouble::other_name);
  CHECK(trouble(good.substr(0, good.size() - 1)) == EventTrouble::frame);
  CHECK(trouble("") == EventTrouble::frame);
  std::string bad = good;
  bad.back() = 'x';
  CHECK(trouble(bad) == EventTrouble::checksum);
  CHECK(trouble(tensor_event("w", scalar<std::uint8_t>(1, 7))) == EventTrouble::type);
  CHECK(trouble(tensor_event("w", "\x08\x01" + message_field(4, raw_bytes(1.0)))) ==
        EventTrouble::message); // two floats without a dimension
  CHECK(trouble(test::tensor_frame("\x2a\x7f")) == EventTrouble::message);
}

} // namespace test_tensor_event
