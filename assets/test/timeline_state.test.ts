import assert from "node:assert/strict";
import { test } from "node:test";
import { State, parseWindow } from "../src/timeline/state";
import {
  decimalsFor,
  logValues,
  niceCeiling,
  niceValues,
  timeLabel,
  timeTicks,
  valueLabel,
} from "../src/timeline/ticks";

const shown = ({ from, to }: State): [number, number] => [from, to];

test("the range stays in the job and tells of its changes", () => {
  const state = new State(10_000, ["algo-1", "algo-2"]);
  const seen: string[] = [];
  state.onChange((change) => seen.push(change));
  state.setRange(2000, 4000);
  assert.deepEqual(shown(state), [2000, 4000]);
  state.setRange(2000, 4000);
  assert.deepEqual(seen, ["range"], "nothing changed the second time");
  state.pan(-2);
  assert.deepEqual(shown(state), [0, 2000]);
  state.pan(100);
  assert.deepEqual(shown(state), [8000, 10_000]);
  state.zoom(0.5, 8000);
  assert.deepEqual(shown(state), [8000, 9000]);
  state.zoom(100);
  assert.ok(state.isWhole);
  state.setRange(5000, 5000);
  assert.deepEqual(shown(state), [4995, 5005], "no shorter than can be looked at");
  state.setRange(NaN, 3);
  assert.deepEqual(shown(state), [4995, 5005]);
});

test("nodes go round, and one node is all there is", () => {
  const state = new State(10, ["algo-1", "algo-2"]);
  const nodes = Array.from({ length: 4 }, () => (state.nextNode(), state.node));
  assert.deepEqual(nodes, ["algo-1", "algo-2", "", "algo-1"]);
  state.setNode("stranger");
  assert.equal(state.node, "algo-1");
  const single = new State(10, ["algo-1"]);
  single.setNode("");
  single.nextNode();
  assert.equal(single.node, "algo-1");
});

test("windows are read from text", () => {
  assert.deepEqual(parseWindow("1500..1900"), { from: 1500, to: 1900 });
  assert.deepEqual(parseWindow("0.5..2.25"), { from: 0.5, to: 2.25 });
  for (const text of ["", "5..1", "a..b", "1.2", "-1..3"]) assert.equal(parseWindow(text), null);
});

test("ticks are at values that people count in", () => {
  assert.deepEqual(niceValues(0, 100, 4), [0, 50, 100]);
  assert.deepEqual(niceValues(0, 0.25, 5), [0, 0.05, 0.1, 0.15000000000000002, 0.2, 0.25]);
  assert.equal(niceCeiling(2.1), 2.5);
  assert.equal(niceCeiling(0), 1);
  assert.deepEqual(logValues(0.08, 1.5), [0.1, 0.2, 0.5, 1]);
  for (const low of [0.012, 0.02, 0.37, 4.9])
    for (const ratio of [1.1, 1.5, 3, 9, 20, 400, 90_000])
      assert.ok(logValues(low, low * ratio).length >= 2, `two ticks or more from ${low} on, ${ratio} times as high`);
  const ticks = timeTicks(1763164090005, 1763164220905, 6);
  assert.equal(ticks.step, 30_000);
  assert.deepEqual(
    ticks.times.map((time) => timeLabel(time, ticks.step)),
    ["23:48:30", "23:49:00", "23:49:30", "23:50:00"],
  );
  assert.equal(decimalsFor(500), 3);
  assert.equal(valueLabel(2.5e6, "B/s"), "2.50 MB/s");
  assert.equal(valueLabel(2e6, "B/s"), "2 MB/s");
  assert.equal(valueLabel(0.05, "s"), "50 ms");
});
