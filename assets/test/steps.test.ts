import assert from "node:assert/strict";
import { test } from "node:test";
import type { PackedStep, StepsIndex } from "../src/steps/contract";
import { labelOf, readNames, readStep, type Names, type Step } from "../src/steps/decode";
import { detailsOf, exact } from "../src/steps/details";
import { axisTicks, lookOf } from "../src/steps/draw";
import { gapsOf } from "../src/steps/gaps";
import { axisHeight, Layout, rowHeight } from "../src/steps/layout";
import { launchedBy, operatorAround, parentOf } from "../src/steps/relations";
import { totalsOf } from "../src/steps/totals";
import { inflate } from "../src/timeline/decode";
import { Packer } from "./packed";

/**
 *  thread 11      0 step                      0..100 000
 *                   1 aten::mm       10..600
 *                     2 launch         20..30
 *                     3 launch        40..50
 *                   4 aten::add    700..800
 *  GPU 0 stream 7 5 gemm            200..500 (by 2), 6 set 600..650 (by 3), 7 copy 900..950 (by a call before)
 */
async function example(): Promise<{ step: Step; names: Names }> {
  const packer = new Packer();
  const packed: PackedStep = {
    which: "only",
    process: "p",
    step: 3,
    length: 100,
    shown: 120,
    first: -5,
    dropped: 0,
    tracks: [
      { name: "thread 11", gpu: false, other: "", depth: 3, slices: 5 },
      { name: "GPU 0 stream 7", gpu: true, other: "", depth: 1, slices: 3 },
    ],
    starts: packer.add([5, 15, 25, 45, 705, 205, 605, 905], 2, 1, 1),
    durations: packer.add([100_000, 590, 10, 10, 100, 300, 50, 50], 4, 0, 1),
    names: packer.add([0, 1, 2, 2, 3, 4, 5, 6], 1, 0, 1),
    depths: packer.add([0, 1, 2, 2, 1, 0, 0, 0], 1, 0, 1),
    launches: packer.add([2, 3, null], 1, 0, 1),
    critical: packer.add([4], 1, 0, 1),
  };
  const kinds = packer.add([1, 0, 3, 0, 5, 7, 6], 1, 0, 1);
  const categories = packer.add([2, 0, 2, 2, 0, 1, 1], 1, 0, 1);
  const text = "step\naten::mm\nlaunch\naten::add\ngemm\nset\ncopy";
  const at = packer.add([...Buffer.from(text)], 1, 0, 1)[0];
  const index: StepsIndex = {
    kinds: ["operator", "annotation", "module", "runtime", "overhead", "kernel", "memcpy", "memset"],
    views: [packed],
    kind_of_name: kinds,
    categories: ["gemm", "copy", "other"],
    category_of_name: categories,
    names: [at, text.length],
  };
  const bytes = await inflate(packer.base64());
  return { step: readStep(packed, bytes), names: readNames(index, bytes) };
}

test("a step is unpacked: times count from its start, launches belong to slices of GPUs", async () => {
  const { step, names } = await example();
  assert.deepEqual([...step.starts], [0, 10, 20, 40, 700, 200, 600, 900]);
  assert.deepEqual([...step.ends], [100_000, 600, 30, 50, 800, 500, 650, 950]);
  assert.deepEqual([...step.track], [0, 0, 0, 0, 0, 1, 1, 1]);
  assert.deepEqual([...step.launch], [NaN, NaN, NaN, NaN, NaN, 2, 3, NaN]);
  assert.equal(step.end, 120_000);
  assert.deepEqual(names.texts.slice(0, 2), ["step", "aten::mm"]);
  assert.deepEqual(names.kinds.slice(4), ["kernel", "memset", "memcpy"]);
});

test("what holds, launches and was launched by a slice", async () => {
  const { step, names } = await example();
  assert.deepEqual(
    [0, 1, 2, 3, 4, 5].map((slice) => parentOf(step, slice)),
    [-1, 0, 1, 1, 0, -1],
  );
  assert.equal(operatorAround(step, names, 3), 1);
  assert.equal(operatorAround(step, names, 4), -1);
  assert.deepEqual(launchedBy(step, 2), [5]);
  assert.deepEqual(launchedBy(step, 1), [5, 6]);
  assert.deepEqual(launchedBy(step, 4), []);
});

test("tracks lie below each other, levels below each other, and a place has its slice", async () => {
  const { step } = await example();
  const layout = new Layout(step);
  assert.equal(layout.rows.length, 4);
  assert.equal(layout.top(1), layout.top(0) + rowHeight);
  assert.equal(layout.top(3), layout.top(0) + 2 * rowHeight);
  assert.ok(layout.top(5) > layout.top(3) + rowHeight, "a head between tracks");
  assert.ok(layout.heads[0]!.top >= axisHeight);
  assert.equal(layout.hit(layout.top(2) + 3, 45, 0), 3);
  assert.equal(layout.hit(layout.top(2) + 3, 35, 0), undefined);
  assert.equal(layout.hit(layout.top(2) + 3, 32, 4), 2);
  assert.equal(layout.hit(layout.top(2) + 3, 39, 4), 3);
  assert.equal(layout.hit(3, 45, 0), undefined, "the axis");
  assert.equal(layout.nearest(3, 0), 5);
  assert.equal(layout.nearest(3, 560), 6);
  assert.equal(layout.nearest(3, 5000), 7);
  assert.equal(layout.nearest(9, 0), undefined);
});

test("details say who launched it and how long it waited", async () => {
  const { step, names } = await example();
  assert.deepEqual(detailsOf(step, names, 5), [
    ["Kind", "kernel"],
    ["Duration", "0.300 µs"],
    ["Start", "0.200 µs after the step's start"],
    ["Track", "GPU 0 stream 7"],
    ["Launched by", "aten::mm, through launch on thread 11"],
    ["Delay", "0.170 µs after that call returned"],
  ]);
  assert.deepEqual(detailsOf(step, names, 7).at(-1), ["Launched by", "a call that is not in this view"]);
  assert.deepEqual(detailsOf(step, names, 1).slice(4), [
    ["Within", "step"],
    ["Launched", "2 slices on the GPU, total 0.350 µs"],
  ]);
  assert.deepEqual(detailsOf(step, names, 2).slice(4), [
    ["Within", "aten::mm"],
    ["Launched", "gemm, 0.300 µs"],
  ]);
});

test("durations are exact, and in words where they are long", () => {
  assert.equal(exact(45_184), "45.184 µs");
  assert.equal(exact(-1), "−0.001 µs");
  assert.equal(exact(12_345_678), "12,345.678 µs (12.3 ms)");
});

test("an axis has as many decimals as tell its moments apart", () => {
  assert.deepEqual(
    axisTicks(0, 100e6, 5).map(({ label }) => label),
    ["0 ms", "20 ms", "40 ms", "60 ms", "80 ms", "100 ms"],
  );
  assert.deepEqual(
    axisTicks(50e6, 50.004e6, 4).map(({ label }) => label),
    ["50.000 ms", "50.001 ms", "50.002 ms", "50.003 ms", "50.004 ms"],
  );
  assert.equal(axisTicks(0, 900, 3)[1]?.label, "0.5 µs");
});

test("kernels are labeled by what tells them apart, and other names stay", () => {
  assert.equal(labelOf("void at::native::(anonymous namespace)::max_pool<float, int>(float const*, int)"), "max_pool");
  assert.equal(labelOf("void gemm(int)"), "gemm");
  assert.equal(labelOf("aten::conv2d"), "aten::conv2d");
  assert.equal(labelOf("nvjet_sm90_tst_128x256"), "nvjet_sm90_tst_128x256");
  assert.equal(labelOf("void <"), "void <");
});

test("gaps are where none of the step's own streams works, from 1% of the step on", async () => {
  const { step } = await example();
  // 0..200, 500..600, 650..900 ns are below 1% of 100 µs; from 950 ns on nothing runs.
  assert.deepEqual(gapsOf(step), [{ from: 950, to: 120_000 }]);
  const short = { ...step, length: 1000, end: 1000 };
  assert.deepEqual(gapsOf(short), [
    { from: 0, to: 200 },
    { from: 500, to: 600 },
    { from: 650, to: 900 },
    { from: 950, to: 1000 },
  ]);
  const others = { ...short, tracks: step.tracks.map((track) => ({ ...track, other: "rank 1" })) };
  assert.deepEqual(gapsOf(others), []);
});

test("a range is summed up by name, most time first; what a thread's slice calls counts as it", async () => {
  const { step, names } = await example();
  const totals = totalsOf(
    { ...step, depths: step.depths },
    { ...names, texts: ["ProfilerStep#3", ...names.texts.slice(1)] },
    0,
    1000,
  );
  assert.deepEqual(
    totals.map(({ name, count, time }) => [name, count, time]),
    [
      ["aten::mm", 1, 590],
      ["gemm", 1, 300],
      ["aten::add", 1, 100],
      ["set", 1, 50],
      ["copy", 1, 50],
    ],
  );
  assert.deepEqual(
    totalsOf(step, names, 400, 450).map(({ name, time }) => [name, time]),
    [
      ["step", 50],
      ["gemm", 50],
    ],
  );
});

test("operators and GPU work have the color of what they are for, all else of its kind", async () => {
  const { names } = await example();
  assert.deepEqual(
    names.texts.map((_, name) => lookOf(names, name)),
    ["ink", "compute", "launch", "idle", "compute", "copy", "copy"],
  );
});
