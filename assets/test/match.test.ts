import assert from "node:assert/strict";
import { test } from "node:test";
import { isMatch } from "../src/tables/match";

test("every word has to be there, in either case and any order", () => {
  assert.ok(isMatch("algo-1 GPU memory", "gpu ALGO"));
  assert.ok(!isMatch("algo-1 GPU memory", "gpu algo-2"));
  assert.ok(isMatch("anything", ""));
});

test("words are text, not patterns", () => {
  assert.ok(!isMatch("abc", "a.c"));
  assert.ok(isMatch("a.c (d", "a.c ("));
});
