import assert from "node:assert/strict";
import { test } from "node:test";
import { compareCells, orderAfter, sorted } from "../src/tables/sort";

test("cells sort as numbers where both are, else as text that counts digits", () => {
  assert.ok(compareCells("9.00", "10.00") < 0);
  assert.ok(compareCells("-3.5", "-3") < 0);
  assert.ok(compareCells("0.0000015", "0.1") < 0);
  assert.ok(compareCells("algo-2", "algo-10") < 0);
  assert.ok(compareCells("CPU", "GPU") < 0);
  assert.ok(compareCells("12", "(none)") < 0, "numbers come before words");
  assert.ok(compareCells("(none)", "12") > 0);
});

test("what is not known comes last, whichever the direction", () => {
  const rows = ["2", "–", "10", "", "1"];
  const text = (row: string): string => row;
  assert.deepEqual(sorted(rows, text, false), ["1", "2", "10", "–", ""]);
  assert.deepEqual(sorted(rows, text, true), ["10", "2", "1", "–", ""]);
  assert.deepEqual(rows, ["2", "–", "10", "", "1"], "the rows themselves are left alone");
});

test("equal rows keep their order", () => {
  const rows = [
    ["b", "1"],
    ["a", "1"],
    ["c", "0"],
  ];
  for (const [descending, expected] of [
    [false, "cba"],
    [true, "bac"],
  ] as const)
    assert.equal(
      sorted(rows, (row) => row[1] ?? "", descending)
        .map(([name]) => name)
        .join(""),
      expected,
    );
});

test("a click sorts numbers from the largest, other text from its beginning, and a third one undoes it", () => {
  assert.deepEqual(
    ["none", "descending", "ascending"].map((order) => orderAfter(order, true)),
    ["descending", "ascending", "none"],
  );
  assert.deepEqual(
    ["none", "ascending", "descending"].map((order) => orderAfter(order, false)),
    ["ascending", "descending", "none"],
  );
});
