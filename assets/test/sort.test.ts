import assert from "node:assert/strict";
import { test } from "node:test";
import { cellNumber, compareCells } from "../src/sort";

test("numbers are read as C++ writes them", () => {
  assert.equal(cellNumber("48\u202f470"), 48470);
  assert.equal(cellNumber("1.25 MB"), 1.25e6);
  assert.equal(cellNumber("100 ms"), 0.1);
  assert.equal(cellNumber("-3.50"), -3.5);
  assert.equal(cellNumber("1 min 5 s"), 65);
  assert.equal(cellNumber("2 d 3 h"), 183600);
  assert.ok(Number.isNaN(cellNumber("")));
  assert.ok(Number.isNaN(cellNumber("-")));
  assert.ok(Number.isNaN(cellNumber("2026-11-14T23:48:10.005176Z")));
  assert.ok(Number.isNaN(cellNumber("–")));
  assert.ok(Number.isNaN(cellNumber("algo-1")));
  assert.ok(Number.isNaN(cellNumber("12 apples")));
});

test("cells sort as numbers where both are, else as text that counts digits", () => {
  assert.ok(compareCells("900 kB", "1.25 MB") < 0);
  assert.ok(compareCells("9.00", "10.00") < 0);
  assert.ok(compareCells("algo-2", "algo-10") < 0);
  assert.ok(compareCells("CPU", "GPU") < 0);
});
