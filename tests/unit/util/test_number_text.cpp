#include "util/number_text.h"

#include <catch2/catch_test_macros.hpp>

namespace test_number_text {

using namespace debrief;

TEST_CASE("percents are whole, with a decimal below ten, and never a zero that is none") {
  CHECK(percent_text(77.8) == "78%");
  CHECK(percent_text(7.61) == "7.6%");
  CHECK(percent_text(9.96) == "10%");
  CHECK(percent_text(0.02) == "<0.1%");
  CHECK(percent_text(0) == "0%");
  CHECK(percent_text(100) == "100%");
  CHECK(percent_text(99.4) == "99%");
  CHECK(percent_text(99.8) == "99.8%");
  CHECK(percent_text(99.97) == ">99.9%");
  CHECK(exact_percent_text(99.97) == ">99.9%");
  CHECK(exact_percent_text(77.84) == "77.8%");
  CHECK(exact_percent_text(0.02) == "<0.1%");
}

TEST_CASE("thousands have commas") {
  CHECK(count_text(0) == "0");
  CHECK(count_text(999) == "999");
  CHECK(count_text(1366) == "1,366");
  CHECK(count_text(-1234567) == "-1,234,567");
  CHECK(money_text(1204.5) == "$1,204.50");
}

TEST_CASE("GPU time below an hour is in minutes, below a minute in seconds") {
  CHECK(device_time_text(136, "GPU") == "2.3 GPU-minutes");
  CHECK(device_time_text(8.24, "node") == "8.2 node-seconds");
  CHECK(device_time_text(0.0205, "GPU") == "20.5 GPU-milliseconds");
  CHECK(device_time_text(45'000, "GPU") == "12.5 GPU-hours");
  CHECK(device_time_text(3600.0 * 1204, "GPU") == "1,204 GPU-hours");
}

TEST_CASE("money is dollars, and three digits count in other numbers") {
  CHECK(money_text(0.1) == "$0.10");
  CHECK(money_text(0.001) == "<$0.01");
  CHECK(short_number_text(1204) == "1,204");
  CHECK(short_number_text(12.5) == "12.5");
  CHECK(short_number_text(0) == "0");
  CHECK(short_number_text(0.0001) == "<0.001");
}

} // namespace test_number_text
