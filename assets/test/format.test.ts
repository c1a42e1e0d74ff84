// The cases are those of tests/unit/util/test_time.cpp and test_text.cpp, and ties, which C++ rounds to even.

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  clock,
  clockAfter,
  exactPercent,
  fixed,
  grouped,
  humanBytes,
  humanDuration,
  inUnit,
  plainNumber,
} from "../src/format";

test("durations read as C++ writes them", () => {
  const cases: [number, string][] = [
    [5.27, "5.27 s"],
    [125.3, "2 min 5 s"],
    [59.97, "1 min 0 s"],
    [3723, "1 h 2 min"],
    [93784.2, "1 d 2 h"],
    [0.0021, "2.1 ms"],
    [0.0000405, "40.5 µs"],
    [0, "0 s"],
    [-2, "-2 s"],
    [9.999, "10 s"],
    [0.1, "100 ms"],
    [0.9994, "999 ms"],
    [0.9996, "1 s"],
    [2.125, "2.12 s"],
    [2.375, "2.38 s"],
    [1e-10, "0.0001 µs"],
    [1.25e-11, "1.25e-05 µs"],
  ];
  for (const [seconds, text] of cases) assert.equal(humanDuration(seconds), text);
});

test("percents have one decimal, and no zero that is none", () => {
  const cases: [number, string][] = [
    [77.8, "77.8%"],
    [100, "100.0%"],
    [99.97, ">99.9%"],
    [0.05, "0.1%"],
    [0.02, "<0.1%"],
    [0, "0%"],
  ];
  for (const [value, text] of cases) assert.equal(exactPercent(value), text);
});

test("bytes read as C++ writes them", () => {
  const cases: [number, string][] = [
    [0, "0 B"],
    [999, "999 B"],
    [1536, "1.54 kB"],
    [48_470_000, "48.5 MB"],
    [999_999, "1.00 MB"],
    [3e12, "3.00 TB"],
    [0.5, "0 B"],
    [1.5, "2 B"],
    [99_950, "100 kB"],
  ];
  for (const [bytes, text] of cases) assert.equal(humanBytes(bytes), text);
});

test("two decimals round as C++ rounds", () => {
  const cases: [number, string][] = [
    [90, "90.00"],
    [0.125, "0.12"],
    [0.375, "0.38"],
    [2.675, "2.67"],
    [1.005, "1.00"],
    [-0.125, "-0.12"],
  ];
  for (const [value, text] of cases) assert.equal(fixed(value, 2), text);
  assert.equal(inUnit(45, "%"), "45.00");
  assert.equal(inUnit(1_250_000, "B/s"), "1.25 MB");
});

test("a moment has its date where that is not the first day's", () => {
  const start = Date.parse("2025-01-21T23:59:00Z");
  assert.equal(clockAfter(start, 30_000), "23:59:30");
  assert.equal(clockAfter(start, 90_500, 1), "01-22 00:00:30.5");
});

test("numbers are grouped by narrow spaces", () => {
  assert.equal(grouped(48470), "48,470");
  assert.equal(grouped(999), "999");
  assert.equal(grouped(1234567), "1,234,567");
});

test("plain numbers are those of tests/unit/render/parts/test_cells.cpp", () => {
  const cases: [number, string][] = [
    [0, "0"],
    [-3.5, "-3.5"],
    [0.0821, "0.0821"],
    [1 / 3, "0.333333"],
    [-0.0000001, "0"],
    [86_400.123456, "86400.123456"],
    [99.9999999999, "100"],
    [12_345_678_901, "12345678901"],
  ];
  for (const [value, text] of cases) assert.equal(plainNumber(value), text);
});

test("moments are UTC", () => {
  assert.equal(clock(1763164090005), "23:48:10");
  assert.equal(clock(1763164090005, 3), "23:48:10.005");
  assert.equal(clock(1763164090105, 1), "23:48:10.1");
});
