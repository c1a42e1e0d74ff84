import assert from "node:assert/strict";
import { test } from "node:test";
import { extent, nearest, positions, smooth, translate, unpack } from "../src/curves/data";
import { elapsedLabel, scalarWords } from "../src/curves/words";

test("differences become steps and times, and null a gap", () => {
  const [timed, plain] = unpack({
    log: false,
    curves: [
      { name: "loss", steps: [10, 5, 5], milliseconds: [500, 250, 250], values: [4, null, 2] },
      { name: "lr", steps: [1], values: [1e-5] },
    ],
  });
  assert.deepEqual(timed, { name: "loss", steps: [10, 15, 20], times: [500, 750, 1000], values: [4, NaN, 2] });
  assert.equal(positions(plain!, "time"), null);
  assert.deepEqual(positions(plain!, "step"), [1]);
});

test("smoothing is TensorBoard's: the first value as it is, gaps left out of the average", () => {
  assert.deepEqual(smooth([4, 2], 0), [4, 2]);
  const [first, second, gap, after] = smooth([4, 2, NaN, 2], 0.5);
  assert.equal(first, 4);
  assert.ok(Math.abs(second! - (0.25 * 4 + 0.5 * 2) / 0.75) < 1e-12);
  assert.ok(Number.isNaN(gap));
  assert.ok(Math.abs(after! - (0.125 * 4 + 0.25 * 2 + 0.5 * 2) / 0.875) < 1e-12);
  assert.deepEqual(
    smooth([3, 3, 3], 0.99).map((value) => Math.round(value * 1e9) / 1e9),
    [3, 3, 3],
    "a level line stays where it is",
  );
});

test("the nearest point, and a place on another axis", () => {
  assert.equal(nearest([], 3), -1);
  assert.equal(nearest([10, 20, 40], 0), 0);
  assert.equal(nearest([10, 20, 40], 29), 1);
  assert.equal(nearest([10, 20, 40], 31), 2);
  assert.equal(nearest([10, 20, 40], 99), 2);
  assert.equal(translate([0, 10, 20], [0, 1000, 5000], 15), 3000);
  assert.equal(translate([0, 10, 20], [0, 1000, 5000], -4), 0);
  assert.equal(translate([0, 10, 20], [0, 1000, 5000], 44), 5000);
  assert.equal(translate([0, 10, 10, 20], [0, 1, 2, 3], 10), 1, "steps that are logged twice");
  assert.deepEqual(extent([3, NaN, -1]), [-1, 3]);
  assert.equal(extent([NaN]), null);
});

test("values and times in words", () => {
  assert.deepEqual([1.98234, 0, 5e-5, 2_500_000, NaN, -0.25, 17, 1500, -123_456].map(scalarWords), [
    "1.982",
    "0",
    "5e-5",
    "2.5e6",
    "NaN or infinite",
    "-0.25",
    "17",
    "1,500",
    "-123,456",
  ]);
  assert.equal(elapsedLabel(0, 1000), "0");
  assert.equal(elapsedLabel(1500, 500), "1,500 ms");
  assert.equal(elapsedLabel(90_000, 30_000), "90 s");
  assert.equal(elapsedLabel(120_000, 60_000), "2 min");
  assert.equal(elapsedLabel(7_200_000, 3_600_000), "2 h");
});
