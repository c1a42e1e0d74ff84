// The sections on PyTorch traces say what the result says.

import assert from "node:assert/strict";
import {
  assertBytes,
  assertCount,
  assertCountOrUnknown,
  assertDuration,
  assertTwoDecimals,
  cellOf,
  rowsOf,
} from "./figures.mjs";

/** Durations of the result, in microseconds, against cells of a row: [head, key]. */
function checkTimes(row, expected, columns) {
  for (const [head, key] of columns) assertDuration(row[head], expected[key] / 1e6, head);
}

const partHeads = ["Kernel", "Memcpy", "Memset", "Communication", "Runtime", "Data loader", "CPU operators", "Other"];

/** A part that takes no time anywhere has no column. */
function checkParts(row, { parts }) {
  parts.forEach(({ percent, us }, at) =>
    partHeads[at] in row
      ? assertTwoDecimals(row[partHeads[at]], percent, partHeads[at])
      : assert.equal(us, 0, partHeads[at]),
  );
  const sum = partHeads.reduce((sum, head) => sum + Number(row[head] ?? 0), 0);
  assert.ok(Math.abs(sum - 100) < 0.05, `parts sum to ${sum} %`);
}

function checkBreakdown(tables, { steps, processes }) {
  rowsOf(tables, "Profiled time by process", processes).forEach((row, at) => {
    assert.equal(row.Process, processes[at].process);
    assertCount(row.Steps, processes[at].steps, row.Process);
    checkTimes(row, processes[at], [["Profiled", "us"]]);
    checkParts(row, processes[at]);
  });
  rowsOf(tables, "Profiled steps", steps).forEach((row, at) => {
    assertCountOrUnknown(cellOf(row, "Step"), steps[at].number, row.Process);
    checkTimes(row, steps[at], [["Duration", "us"]]);
    checkParts(row, steps[at]);
  });
}

function checkWork(tables, { operators, kernels }) {
  rowsOf(tables["cpu-operators"], "Operators by name", [...operators.by_name, ...operators.by_shapes.slice(0, 50)]);
  rowsOf(
    tables["cpu-operators"].filter(({ caption }) => !caption.includes("shapes")),
    "Operators by name",
    operators.by_name,
  ).forEach((row, at) => {
    assert.equal(row.Operator, operators.by_name[at].name);
    assertCount(row.Calls, operators.by_name[at].calls, row.Operator);
    checkTimes(row, operators.by_name[at], [
      ["CPU self", "host_self_us"],
      ["CPU total", "host_total_us"],
    ]);
    if ("GPU self" in row)
      checkTimes(row, operators.by_name[at], [
        ["GPU self", "device_self_us"],
        ["GPU total", "device_total_us"],
      ]);
  });
  rowsOf(tables["gpu-operators"], "Kernels, most time first", kernels.rows).forEach((row, at) => {
    const expected = kernels.rows[at];
    assert.equal(row.Kernel, expected.short_name);
    assertCount(row.Calls, expected.calls, row.Kernel);
    assertTwoDecimals(row["Share (%)"], expected.percent, row.Kernel);
    checkTimes(row, expected, [
      ["Total", "total_us"],
      ["Mean", "mean_us"],
      ["Min", "min_us"],
      ["Max", "max_us"],
    ]);
  });
  const long = kernels.rows.filter(({ name, short_name: short }) => name !== short);
  rowsOf(tables["gpu-operators"], "Full kernel names", long).forEach((row, at) =>
    assert.equal(row["Full name"], long[at].name),
  );
}

/** The page has the first; the result has them all. */
const PERFORMANCE_ROWS = 12;

function checkPerformance(tables, { operators, performance }) {
  rowsOf(tables["gpu-time"] ?? [], "GPU work by category", operators.categories).forEach((row, at) => {
    assertTwoDecimals(row["Share (%)"], operators.categories[at].percent, row.Category);
    checkTimes(row, operators.categories[at], [["Time", "us"]]);
  });
  const shown = performance.rows.slice(0, PERFORMANCE_ROWS);
  rowsOf(tables["operator-performance"] ?? [], "FLOPs and bytes", shown).forEach((row, at) => {
    const expected = performance.rows[at];
    assert.equal(row.Operator, expected.name);
    assertCount(row.Calls, expected.calls, row.Operator);
    assertTwoDecimals(row["Share (%)"], expected.percent, row.Operator);
    checkTimes(row, expected, [["GPU time", "us"]]);
  });
  rowsOf(tables["operator-performance"] ?? [], "Matrix FLOPs", performance.steps).forEach((row, at) =>
    checkTimes(row, performance.steps[at], [["Duration", "us"]]),
  );
}

function checkActivity(tables, { gpus, copies, launches, syncs }) {
  rowsOf(tables, "GPU activity", gpus).forEach((row, at) => {
    for (const [head, key] of [
      ["Busy", "busy_us"],
      ["Idle", "idle_us"],
      ["Waiting on launch", "host_wait_us"],
      ["Kernels", "kernel_us"],
    ])
      assertTwoDecimals(row[head], (100 * gpus[at][key]) / gpus[at].profiled_us, head);
  });
  rowsOf(tables, "Memory copies", copies).forEach((row, at) => {
    assert.equal(row.Direction, copies[at].direction);
    checkTimes(row, copies[at], [["Time", "us"]]);
    if (copies[at].bytes !== null) assertBytes(row.Bytes, copies[at].bytes, row.Direction);
  });
  rowsOf(tables, "Kernel launches", launches).forEach((row, at) =>
    assertCount(row.Launches, launches[at].launches, row.Process),
  );
  rowsOf(tables, "Blocking syncs", syncs).forEach((row, at) => {
    assert.equal(row.Call, syncs[at].call);
    checkTimes(row, syncs[at], [["Time", "us"]]);
  });
}

function checkCommunication(tables, { collectives, overlap, stragglers }) {
  if (collectives.length === 0) return assert.deepEqual(tables, []);
  rowsOf(tables, "Communication overlap", overlap).forEach((row, at) =>
    checkTimes(row, overlap[at], [
      ["Communication", "communication_us"],
      ["Overlapped", "hidden_us"],
      ["Exposed", "exposed_us"],
    ]),
  );
  rowsOf(tables, "Stragglers", stragglers).forEach((row, at) =>
    assertCount(row["Arrived last"], stragglers[at].last, row.Process),
  );
  rowsOf(tables, "Collectives", collectives).forEach((row, at) => {
    assert.equal(row.Collective, collectives[at].name);
    checkTimes(row, collectives[at], [
      ["Total", "total_us"],
      ["Mean", "mean_us"],
      ["Max", "max_us"],
    ]);
  });
}

/** @param {Record<string, import("./tables.mjs").Table[]>} tables */
export function checkTraces(tables, traces) {
  checkBreakdown(tables["step-breakdown"], traces);
  checkWork(tables, traces);
  checkPerformance(tables, traces);
  checkActivity(tables["gpu-activity"], traces);
  checkCommunication(tables.communication, traces.communication);
  rowsOf(tables.allocator, "Memory peaks", traces.memory).forEach((row, at) =>
    assertBytes(row["Peak allocated"], traces.memory[at].peak_allocated, row.Device),
  );
  rowsOf(tables.annotations, "Annotations", traces.annotations).forEach((row, at) => {
    assert.equal(row.Annotation, traces.annotations[at].name);
    checkTimes(row, traces.annotations[at], [
      ["Total", "total_us"],
      ["Mean", "mean_us"],
    ]);
  });
  rowsOf(tables.annotations, "Modules", traces.modules).forEach((row, at) =>
    assert.equal(row.Module, traces.modules[at].name),
  );
  rowsOf(tables["data-quality"], "PyTorch traces", traces.files).forEach((row, at) => {
    assert.equal(row.File, traces.files[at].path);
    assertCount(
      row.Events,
      traces.files[at].categories.reduce((sum, { count }) => sum + count, 0),
      row.File,
    );
  });
}
