import assert from "node:assert/strict";
import { test } from "node:test";
import { heatCells } from "../src/timeline/heat_cells";
import { quantile, sorted } from "../src/timeline/quantile";
import { Pyramid, Series, joined } from "../src/timeline/series";

const every500 = (count: number): Float64Array => Float64Array.from({ length: count }, (_, at) => at * 500);

test("a pyramid finds the same least and greatest as looking at every value", () => {
  const values = Float32Array.from({ length: 5000 }, (_, at) => (at % 97 === 0 ? NaN : (at * 7919) % 1009));
  const pyramid = new Pyramid(values);
  for (const [from, to] of [
    [0, 5000],
    [3, 4],
    [17, 300],
    [255, 257],
    [1, 4999],
    [4096, 5000],
    [96, 98],
    [0, 1],
  ] as const) {
    const part = Array.from(values.subarray(from, to)).filter((value) => !Number.isNaN(value));
    pyramid.query(from, to);
    assert.deepEqual(
      [pyramid.low, pyramid.high],
      part.length > 0 ? [Math.min(...part), Math.max(...part)] : [NaN, NaN],
      `${from} to ${to}`,
    );
  }
  pyramid.query(4990, 6000);
  assert.deepEqual(
    [pyramid.low, pyramid.high],
    [Math.min(...values.subarray(4990)), Math.max(...values.subarray(4990))],
    "past the end",
  );
  pyramid.query(10, 10);
  assert.ok(Number.isNaN(pyramid.low));
});

test("samples are found by time", () => {
  const series = new Series(Float64Array.of(0, 500, 1000, 1500, 9000), Float32Array.of(1, 2, 3, 4, 5));
  assert.equal(series.indexAt(500), 1);
  assert.equal(series.indexAt(501), 2);
  assert.equal(series.nearest(740), 1);
  assert.equal(series.nearest(760), 2);
  assert.equal(series.nearest(5000), -1, "in the gap");
  assert.deepEqual([...series.within(500, 1500)], [2, 3, 4], "both ends included");
  assert.deepEqual([...series.within(501, 1499)], [3]);
});

test("quantiles are numpy's", () => {
  // numpy.percentile([3, 1, 4, 1, 5, 9, 2, 6], [0, 25, 50, 95, 99, 100])
  const ordered = sorted([Float32Array.of(3, 1, NaN, 4, 1), Float32Array.of(5, 9, 2, 6)]);
  const shares = [0, 0.25, 0.5, 0.95, 0.99, 1].map((share) => Number(quantile(ordered, share).toFixed(6)));
  assert.deepEqual(shares, [1, 1.75, 3.5, 7.95, 8.79, 9]);
  assert.ok(Number.isNaN(quantile(sorted([]), 0.5)));
});

test("many nodes become their mean, least and greatest", () => {
  const of = (...values: number[]): Series => new Series(every500(values.length), Float32Array.from(values));
  const all = joined([of(10, 20, NaN), of(30, 40, NaN), of(50, 0)]);
  assert.deepEqual([...all.values], [30, 20, 0], "a sample that is missing is taken from its neighbor or left out");
  assert.deepEqual([...all.low!], [10, 0, 0]);
  assert.deepEqual([...all.high!], [50, 40, 0]);
});

test("a heat map's cell is the mean of its samples, the nearest where it has none, blank in a gap", () => {
  const series = new Series(Float64Array.of(0, 500, 1000, 1500, 9000), Float32Array.of(10, 20, 30, NaN, 50));
  const rows = [{ label: "gpu0", group: "GPUs", series }];
  assert.deepEqual([...heatCells(rows, 0, 2000, 2)], [15, 30]);
  assert.deepEqual([...heatCells(rows, 0, 1000, 4)], [10, 20, 20, 30]);
  assert.deepEqual([...heatCells(rows, 4000, 6000, 2)], [NaN, NaN]);
});
