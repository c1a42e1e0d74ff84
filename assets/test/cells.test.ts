import assert from "node:assert/strict";
import { test } from "node:test";
import { headWords, isNumber, isUnknown } from "../src/tables/cells";
import { keyName } from "../src/shell/shortcuts";

test("numbers are plain ones", () => {
  for (const text of ["0", "-3.50", "48470", "0.0000015"]) assert.ok(isNumber(text), text);
  for (const text of [
    "",
    "-",
    "–",
    "+1",
    "1e5",
    "48,470",
    "1.25 MB",
    "12 apples",
    "2026-11-14T23:48:10.005176Z",
    "0x10",
    " 1",
  ])
    assert.ok(!isNumber(text), text);
});

test("a dash is unknown, a zero is not", () => {
  assert.ok(isUnknown("–") && isUnknown(""));
  assert.ok(!isUnknown("0") && !isUnknown("-"));
});

test("heads carry their unit", () => {
  assert.equal(headWords("Time", "s"), "Time (s)");
  assert.equal(headWords("Share (%)", ""), "Share (%)");
});

test("keys have the names that are on them", () => {
  assert.equal(keyName("ArrowLeft"), "←");
  assert.equal(keyName("j"), "j");
});
