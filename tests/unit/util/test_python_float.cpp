#include "util/python_float.h"

#include <catch2/catch_test_macros.hpp>

#include <cmath>
#include <utility>

namespace test_python_float {

using namespace debrief;

TEST_CASE("a float is written as Python's repr writes it") {
  // [repr(x) for x in (...)] of Python 3.11
  for (const auto& [value, text] : {std::pair{70.0, "70.0"},
                                    {0.0, "0.0"},
                                    {-0.0, "-0.0"},
                                    {100.0, "100.0"},
                                    {-12.5, "-12.5"},
                                    {0.1 + 0.2, "0.30000000000000004"},
                                    {1.0 / 3, "0.3333333333333333"},
                                    {1678025720.50033, "1678025720.50033"},
                                    {0.0001, "0.0001"},
                                    {0.00012345, "0.00012345"},
                                    {1e-5, "1e-05"},
                                    {5e-5, "5e-05"},
                                    {-1.5e-7, "-1.5e-07"},
                                    {1e15, "1000000000000000.0"},
                                    {9999999999999998.0, "9999999999999998.0"},
                                    {9007199254740993.0, "9007199254740992.0"},
                                    {1e16, "1e+16"},
                                    {123456789012345680.0, "1.2345678901234568e+17"},
                                    {99999999999999990.0, "9.999999999999998e+16"},
                                    {1e22, "1e+22"},
                                    {1e23, "1e+23"},
                                    {5e-324, "5e-324"},
                                    {2.2250738585072014e-308, "2.2250738585072014e-308"},
                                    {1.7976931348623157e308, "1.7976931348623157e+308"}})
    CHECK(python_float(value) == text);
}

TEST_CASE("rounding goes by the exact value, as Python's does") {
  struct Case {
    double value;
    int decimals;
    double rounded;
  };

  // [round(x, n) for x, n in (...)] of Python 3.11
  for (const Case& one : {Case{2.675, 2, 2.67}, // just below the half
                          Case{1.005, 2, 1.0},
                          Case{0.285, 2, 0.28},
                          Case{2.345, 2, 2.35}, // just above it
                          Case{1.15, 1, 1.1},
                          Case{1.35, 1, 1.4},
                          Case{0.045, 2, 0.04},
                          Case{99.995, 2, 100.0},
                          Case{0.125, 2, 0.12}, // exact halves, to even
                          Case{0.375, 2, 0.38},
                          Case{1.25, 1, 1.2},
                          Case{123456789.125, 2, 123456789.12},
                          Case{0.5, 0, 0.0},
                          Case{1.5, 0, 2.0},
                          Case{2.5, 0, 2.0},
                          Case{-2.5, 0, -2.0},
                          Case{0.5000000000000001, 0, 1.0},
                          Case{1e22, 2, 1e22},
                          Case{1e300, 2, 1e300},
                          Case{5e-324, 2, 0.0}})
    CHECK(python_round(one.value, one.decimals) == one.rounded);
}

TEST_CASE("what rounds to nothing from below stays negative") {
  CHECK(python_round(-0.001, 2) == 0);
  CHECK(std::signbit(python_round(-0.001, 2)));
}

} // namespace test_python_float
