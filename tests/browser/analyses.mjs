// The sections on framework, rules, steps and devices say what the result says.

import assert from "node:assert/strict";
import { checkTraces } from "./traces.mjs";
import {
  assertCount,
  assertCountOrUnknown,
  assertDuration,
  assertTwoDecimals,
  cellOf,
  headOf,
  rowsOf,
} from "./figures.mjs";

/** As the page calls them. */
const phaseWords = { initialization: "startup", finalization: "shutdown" };

function checkAccounting(tables, { total_in_seconds: total, parts }) {
  rowsOf(tables, "Where the time went", total === null ? [] : parts).forEach((row, at) => {
    assert.equal(row.Part, phaseWords[parts[at].part] ?? parts[at].part);
    assertDuration(row.Time, parts[at].seconds, row.Part);
    assertTwoDecimals(row["Share (%)"], parts[at].percent, row.Part);
  });
  if (total === null) return;
  const sum = parts.reduce((sum, part) => sum + part.seconds, 0);
  assert.ok(Math.abs(sum - total) < 1e-3, `parts sum to ${sum} of ${total}`);
}

function checkShares(tables, caption, head, shares) {
  rowsOf(tables, caption, shares).forEach((row, at) => {
    const { process, name, percent, seconds, calls } = shares[at];
    assert.equal(row[head], name, caption);
    assert.equal(row.Process ?? "", process ?? "", caption);
    assertTwoDecimals(row["Share (%)"], percent, `${caption}, ${name}`);
    assertDuration(cellOf(row, "Time"), seconds, `${caption}, ${name}`);
    assertCountOrUnknown(cellOf(row, "Calls"), calls, `${caption}, ${name}`);
  });
}

const seconds = (microseconds) => (microseconds === null ? null : microseconds / 1e6);

function checkOperators(tables, caption, operators) {
  rowsOf(tables, caption, operators).forEach((row, at) => {
    const expected = operators[at];
    assert.equal(row.Operator, expected.operator, caption);
    assertTwoDecimals(cellOf(row, "Self (%)"), expected.self_percent, row.Operator);
    assertTwoDecimals(row["Total (%)"], expected.percent, row.Operator);
    assertDuration(cellOf(row, "Self time"), seconds(expected.self_us), row.Operator);
    assertDuration(row["Total time"], seconds(expected.total_us), row.Operator);
    assertCountOrUnknown(cellOf(row, "Calls"), expected.calls, row.Operator);
  });
}

const statusWords = { issue_found: "triggered", no_issue: "did not trigger", not_evaluated: "not evaluated" };

function checkRules(tables, rules) {
  rowsOf(tables, "Rules, most triggered first", rules).forEach((row, at) => {
    const { rule, status, triggered, violations, datapoints, recorded_by_sagemaker: theirs } = rules[at];
    assert.equal(row.Rule, rule);
    assert.equal(row.Status, statusWords[status] + (theirs ? " (SageMaker)" : ""), rule);
    if (rules[at].incident_count > 0) assertDuration(row.Time, rules[at].clock_seconds, rule);
    const evaluated = status !== "not_evaluated";
    assertCountOrUnknown(row.Triggered, evaluated ? triggered : null, rule);
    assertCountOrUnknown(row.Violations, evaluated ? violations : null, rule);
    assertCountOrUnknown(row.Samples, evaluated || datapoints > 0 ? datapoints : null, rule);
    assert.equal((row.Note ?? "").slice(1), rules[at].reason ? `${rules[at].reason.slice(1)}.` : "", rule);
  });
  for (const { rule, incidents } of rules)
    rowsOf(tables, `${rule} intervals`, incidents).forEach((row, at) => {
      assert.equal(row.From, incidents[at].start, rule);
      assertDuration(row.Duration, incidents[at].seconds, rule);
    });
}

function checkSteps(tables, steps) {
  rowsOf(tables, "Step time by", steps).forEach((row, at) => {
    const expected = steps[at];
    const what = `${expected.process}, ${expected.mode}`;
    assert.deepEqual([row.Process, row.Mode], [expected.process, expected.mode]);
    assertCount(row.Steps, expected.count, what);
    assertDuration(cellOf(row, "Total"), expected.total_in_seconds, what);
    for (const key of ["min", "p50", "mean", "p95", "p99", "max"])
      assertDuration(row[headOf(key)], expected[key], `${what}, ${key}`);
  });
  rowsOf(tables, "Variation by", steps).forEach((row, at) => {
    for (const [head, key] of [
      ["First step", "first"],
      ["Standard deviation", "stddev"],
      ["Outlier above", "threshold"],
    ])
      assertDuration(cellOf(row, head), steps[at][key], head);
    assertCountOrUnknown(cellOf(row, "Outliers"), steps[at].outliers, "outliers");
  });
  const outlying = steps.flatMap((row) => row.outlying).sort((a, b) => b.seconds - a.seconds);
  rowsOf(tables, "Outliers", outlying).forEach((row, at) =>
    assertDuration(cellOf(row, "Duration"), outlying[at].seconds, "outlying"),
  );
}

/** A table of devices against the result's rows of its metrics. */
function checkDevices(tables, caption, devices, figures) {
  rowsOf(tables, caption, devices).forEach((row, at) => {
    assert.deepEqual([row.Node, row.Device], [devices[at].node, devices[at].device], caption);
    for (const [head, key] of figures) assertTwoDecimals(cellOf(row, head), devices[at][key], `${caption}, ${head}`);
  });
}

function checkLoading(tables, loading) {
  const times = loading?.times ?? [];
  rowsOf(tables, "Loading time", times).forEach((row, at) => {
    assert.equal(row.What, times[at].what);
    assertCount(row.Count, times[at].count, row.What);
    for (const key of ["min", "p25", "p50", "mean", "p95", "max"])
      assertDuration(row[headOf(key)], times[at][key], `${row.What}, ${key}`);
  });
  if (!loading) return;
  const [workers] = rowsOf(tables, "Data loader settings", Array(6));
  assertCountOrUnknown(workers.Value, loading.num_workers, "workers");
}

function checkBottlenecks(tables, kind, rule) {
  const parts = rule?.parts ?? [];
  rowsOf(tables, `Samples with and without ${kind}`, parts).forEach((row, at) => {
    assertCount(row.Count, parts[at].count, parts[at].name);
    assertTwoDecimals(row["Share (%)"], parts[at].percent, parts[at].name);
  });
  checkActivity(tables, `${kind} bottlenecks`, rule);
}

function checkActivity(tables, during, rule) {
  // Work of which none was recorded otherwise has nothing to be compared with, and stands last.
  const difference = (row) => (row.outside_percent === null ? -Infinity : row.inside_percent - row.outside_percent);
  const expected = [...(rule?.activity?.rows ?? [])].sort((a, b) =>
    difference(b) === difference(a) ? 0 : difference(b) - difference(a),
  );
  // Several of a thing that run at once are counted.
  const atOnce = expected.some((row) => Math.max(row.inside_percent, row.outside_percent ?? 0) > 100.05);
  rowsOf(tables, `Work during ${during}`, expected).forEach((row, at) => {
    if (expected[at].outside_percent === null) return;
    const points = difference(expected[at]);
    if (atOnce) assertTwoDecimals(row.Difference, points / 100, during);
    else assertTwoDecimals(row["Difference (points)"], points, during);
  });
}

/** @param {Record<string, import("./tables.mjs").Table[]>} tables */
export function checkAnalyses(tables, result) {
  const { framework, devices, load_balance: balance, rules } = result;
  const rule = (name) => rules.find((row) => row.rule === name);
  const evaluated = (name) => (rule(name)?.status === "not_evaluated" ? undefined : rule(name));
  const ofMetrics = (...metrics) => devices.filter(({ metric }) => metrics.includes(metric));
  checkAccounting(tables.job, result.time_accounting);
  checkShares(tables.framework, "Phases of the training loop", "Phase", framework.phase);
  checkShares(tables.framework, "Forward and backward", "Pass", framework.forward_backward);
  checkShares(tables.framework, "CPU and GPU operators", "Operators", framework.ratio);
  checkShares(tables.framework, "General framework", "Operation", framework.general);
  checkShares(tables.framework, "Collectives", "Collective", framework.collectives);
  // Where there are traces, these say more of the same.
  const { operators, kernels } = result.traces ?? { operators: { by_name: [] }, kernels: { rows: [] } };
  checkOperators(tables["cpu-operators"], "CPU operators", operators.by_name.length ? [] : framework.cpu_operators);
  checkOperators(tables["gpu-operators"], "GPU operators", kernels.rows.length ? [] : framework.gpu_operators);
  if (result.traces) checkTraces(tables, result.traces);
  checkRules(tables.rules, rules);
  checkSteps(tables.steps, result.steps);
  checkActivity(tables.steps, "outliers", rule("StepOutlier"));
  checkDevices(tables["gpu-utilization"], "Utilization by GPU", ofMetrics("GPU"), [
    ["Mean", "mean"],
    ["p95", "p95"],
    ["p50", "p50"],
    ["p5", "p05"],
  ]);
  checkDevices(tables["gpu-memory"], "Memory use by GPU", ofMetrics("GPU memory"), [
    ["Max", "max"],
    ["p50", "p50"],
    ["p5", "p05"],
  ]);
  const boxes = ofMetrics("GPU", "GPU memory").length > 0 ? ofMetrics("CPU", "GPU", "GPU memory") : [];
  checkDevices(tables["batch-size"], "CPU, GPU and GPU memory use", boxes, [
    ["Upper", "upper"],
    ["p75", "p75"],
    ["p25", "p25"],
    ["Lower", "lower"],
  ]);
  rowsOf(tables["load-balance"], "Distances", balance.pairs).forEach((row, at) =>
    assert.equal(row.Distance, balance.pairs[at].distance.toFixed(3)),
  );
  checkLoading(tables["data-loading"], result.data_loading);
  checkBottlenecks(tables["cpu-bottlenecks"], "CPU", evaluated("CPUBottleneck"));
  checkBottlenecks(tables["io-bottlenecks"], "I/O", evaluated("IOBottleneck"));
}
