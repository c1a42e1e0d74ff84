// Jobs that no sample shows: hostile names, broken input, many nodes, no metrics. Each `write` makes one in
// a folder and returns what to give to debrief.

import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { writeBinary, writeMulticlass, writeRegression } from "./xgboost_jobs.mjs";

const samples = join(dirname(fileURLToPath(import.meta.url)), "../../sample_jobs");
const start = 1737457754; // 2025-01-21T11:09:14Z
const metricsFile = "profiler-output/system/incremental/2025012111/1737457740.algo-1.json";

function put(job, path, content) {
  const full = join(job, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, content);
}

/** One line of SageMaker's system metrics. */
function line(node, type, name, dimension, value, seconds) {
  return JSON.stringify({
    Type: type,
    Name: name,
    Dimension: dimension,
    Value: value,
    NodeId: node,
    Timestamp: start + seconds,
  });
}

const lines = (list) => list.join("\n") + "\n";

/** Names as a job has them, and as the page has to show them: as text, with what deceives written out. */
export const hostileNames = [
  ["</script><script>alert(1)</script>"],
  ['"><img src=x onerror=alert(1)>'],
  ["' onmouseover='alert(1)"],
  ["</title></style></td></table><b>bold</b>"],
  ["<!--script--><!--style-->"],
  ["<svg onload=alert(1)>"],
  ["{{ 7*7 }}"],
  ['{% include "page.html" %}{# note #}'],
  ["&lt;b&gt;&amp;&#60;"],
  ["javascript:alert(1)"],
  ["see @everyone #1 !2 %3 GH-4 :tada: https://evil.example www.evil.example a@evil.example"],
  ["tag\u{e0041}\u{e007f}", "tag\\u{e0041}\\u{e007f}"],
  ["line\u2028separator", "line\\u{2028}separator"],
  ["algo\u202e1-ogla", "algo\\u{202e}1-ogla"],
  ["isolate\u2066d\u2069", "isolate\\u{2066}d\\u{2069}"],
  ["zero\u200bwidth", "zero\\u{200b}width"],
  [
    "nul\u0000bell\u0007escape\u001b[31mdelete\u007fnext\u0085",
    "nul\\u{0000}bell\\u{0007}escape\\u{001b}[31mdelete\\u{007f}next\\u{0085}",
  ],
  ["tab\tline\nreturn\r", "tab\\tline\\nreturn\\u{000d}"],
  ["узел-ノード-عقدة-🤖"],
  ["n".repeat(10_000)],
].map(([raw, shown = raw]) => ({ raw, shown }));

/** A timeline as smdebug's hook writes it: events by phase, each [name, start, duration, arguments] in microseconds. */
function timeline(phases) {
  const events = [{ name: "process_name", ph: "M", pid: 0, args: { start_time_since_epoch_in_micros: start * 1e6 } }];
  phases.forEach(([phase, list], at) => {
    events.push({ name: "process_name", ph: "M", pid: at + 1, args: { name: phase } });
    for (const [name, ts, dur, args = {}] of list)
      events.push({ name, ph: "X", pid: at + 1, ts, dur, args: { pid: 27, ...args } });
  });
  return `[\n${events.map((event) => JSON.stringify(event)).join(",\n")}\n]\n`;
}

/** Steps of which eleven are outlying, enough for the rule, and in each a stranger's operators, operations and loaders. */
function hostileEvents(raws) {
  const length = (step) => (step % 13 === 12 ? 20_000 : 2_000);
  let at = 0;
  const starts = Array.from({ length: 150 }, (_, step) => (at += length(step) + 500) - length(step));
  const inEach = starts.map((ts, step) => [raws[step % raws.length], ts + 100, length(step) / 2]);
  const mode = "Step:ModeKeys.<b>bold</b>";
  return timeline([
    [
      "Step:ModeKeys.TRAIN",
      starts.map((ts, step) => ["Step:ModeKeys.TRAIN", ts, length(step), { step_num: String(step) }]),
    ],
    [mode, [[mode, at + 1000, 500, { step_num: "0" }]]],
    ["cpu_functions", inEach],
    ["gpu_functions-dev:0", inEach],
    ["DataLoaderIterInitialize", [[raws[0], 0, 300, { num_workers: 2, pin_memory: false }]]],
    ["DataLoaderIter", inEach],
    ...raws.map((raw, of) => [raw, [[raw, starts[of], 1500]]]),
  ]);
}

/** A PyTorch trace of one step in which every operator, kernel, annotation and thread has a stranger's name. */
function hostileTrace(raws) {
  const events = [];
  const whole = (cat, name, tid, ts, dur, args) =>
    events.push({ ph: "X", cat, name, pid: cat === "kernel" ? 0 : 27, tid, ts, dur, args });
  const begin = 1737457762e6;
  whole("user_annotation", "ProfilerStep#1", 27, begin, raws.length * 1000, {});
  raws.forEach((raw, at) => {
    const ts = begin + 1000 * at;
    whole("user_annotation", raw, 27, ts + 5, 900, {});
    whole("cpu_op", raw, 27, ts + 10, 500, { "External id": at, "Input Dims": [[at, 1]], "Input type": [raw] });
    whole("cuda_runtime", raw, 27, ts + 20, 10, { correlation: at });
    whole("kernel", raw, 7, ts + 100, 200, {
      device: 0,
      stream: 7,
      correlation: at,
      grid: [1, 1, 1],
      block: [32, 1, 1],
    });
    events.push({
      ph: "i",
      cat: "cpu_instant_event",
      name: "[memory]",
      pid: 27,
      tid: 27,
      ts: ts + 15,
      args: {
        Bytes: 1e6,
        "Total Allocated": 1e6 * (at + 1),
        "Total Reserved": 1e8,
        "Device Type": 1,
        "Device Id": 0,
        Addr: at + 1,
      },
    });
  });
  events.push({ ph: "M", name: "thread_name", pid: 27, tid: 27, args: { name: raws[0] } });
  return JSON.stringify({
    schemaVersion: 1,
    deviceProperties: [{ id: 0, name: raws[1] }],
    distributedInfo: { backend: raws[2] },
    traceEvents: events,
  });
}

function writeHostile(folder) {
  const job = join(folder, '"><img src=x onerror=alert(1)>');
  const raws = hostileNames.map(({ raw }) => raw);
  const all = raws.join(" ");
  const metrics = [];
  raws.forEach((raw, at) => {
    for (let second = 0; second < 5; ++second) {
      metrics.push(line(raw, "cpu", raw, "CPUUtilization", 10 + at, second));
      metrics.push(line(raw, raw, raw, raw, 1, second));
      for (const dimension of ["GPUUtilization", "GPUMemoryUtilization"])
        metrics.push(line(raw, "gpu", raw, dimension, 5 * at, second));
      metrics.push(line(raw, "network", "ReceiveBytesPerSecond", "Algorithm", 1000 * at, second));
    }
  });
  put(job, metricsFile, lines(metrics));
  put(job, 'profiler-output/system/incremental/2025012111/1737457740."><img src=x onerror=alert(1)>.json', "{}\n");
  put(job, "traces/{{ 7*7 }}<svg onload=alert(1)>.pt.trace.json", hostileTrace(raws));
  const pevents = "profiler-output/framework/pevents/2025012111/1737457760000000";
  put(job, `${pevents}_27-<svg onload=alert(1)>_pythontimeline.json`, hostileEvents(raws));
  put(
    job,
    `${pevents}_27-{{ 7*7 }}_horovod_timeline.json`,
    timeline(raws.map((raw, of) => [raw, [[raw, of * 1000, 900]]])),
  );
  put(
    job,
    "job.json",
    JSON.stringify({
      TrainingJobName: all,
      TrainingJobStatus: all,
      Framework: all,
      ResourceConfig: { InstanceType: all, InstanceCount: 1 },
      HyperParameters: Object.fromEntries(raws.map((raw) => [raw, raw])),
    }),
  );
  return job;
}

/** Something of everything that Data quality has a table or a sentence for. */
function writeDamaged(folder) {
  const metrics = [];
  for (const [node, ahead] of [
    ["algo-1", 0],
    ["algo-2", 90],
  ])
    for (let second = 0; second < 300; ++second) {
      if (second > 100 && second < 180 && node === "algo-1") continue; // a gap
      metrics.push(line(node, "cpu", "cpu0", "CPUUtilization", second % 100, second + ahead));
      metrics.push(line(node, "network", "ReceiveBytesPerSecond", "Algorithm", second * 1e5, second + ahead));
    }
  metrics.push("{not json", '{"Value":1}', line("algo-1", "cpu", "cpu0", "CPUUtilization", 250, 301));
  metrics.push(line("algo-1", "cpu", "cpu0", "CPUUtilization", -4, 302), '{"Type":"cpu","Na');
  put(folder, metricsFile, lines(metrics));
  const cut = gzipSync(lines(metrics)).subarray(0, 600);
  put(folder, "profiler-output/system/incremental/2025012111/1737457800.algo-2.json.gz", cut);
  put(folder, "profiler-output/framework/pevents/2025012111/1737457754000000_1-algo-1_pythontimeline.json", "[{");
  const earlier = [];
  for (let second = 0; second < 20; ++second)
    earlier.push(line("algo-1", "cpu", "cpu0", "CPUUtilization", 1, second - 86400));
  put(folder, "profiler-output/system/incremental/2025012011/1737371340.algo-1.json", lines(earlier));
  put(folder, "notes.txt", "not a profiler's file\n");
  put(
    folder,
    "job.json",
    JSON.stringify({
      TrainingJobName: "damaged",
      TrainingStartTime: "yesterday",
      ResourceConfig: { InstanceType: "ml.p4d.24xlarge", InstanceCount: 3 },
      ProfilerConfig: { ProfilingIntervalInMilliseconds: 500 },
      HyperParameters: { "learning-rate": 0.1, schedule: "cosine" },
    }),
  );
  return folder;
}

/** Twelve nodes whose figures order differently as text and as numbers. */
function writeManyNodes(folder) {
  const metrics = [];
  for (let node = 1; node <= 12; ++node) {
    const name = `algo-${node}`;
    const step = [0.1, 0.5, 1, 5, 20, 45][node % 6]; // "100 ms" to "45 s" between samples
    for (let sample = 0; sample < 40; ++sample) {
      const second = sample * step;
      metrics.push(line(name, "cpu", "cpu0", "CPUUtilization", (node * 37 + sample) % 101, second));
      metrics.push(line(name, "gpu", "gpu0", "GPUUtilization", (node * 61 + sample * 3) % 101, second));
      metrics.push(line(name, "network", "ReceiveBytesPerSecond", "Algorithm", 7 ** node + sample, second));
    }
    const late = [3, 59, 75, 400, 4000][node % 5]; // a last sample after a gap: seconds, minutes, an hour
    metrics.push(line(name, "cpu", "cpu0", "CPUUtilization", 1, 40 * step + late));
  }
  put(folder, metricsFile, lines(metrics));
  put(folder, "job.json", JSON.stringify({ TrainingJobName: "many-nodes", ResourceConfig: { InstanceCount: 12 } }));
  return folder;
}

/** A framework timeline alone. */
function writeNoMetrics(folder) {
  cpSync(join(samples, "gpt-train-eval/profiler-output/framework"), join(folder, "profiler-output/framework"), {
    recursive: true,
  });
  return folder;
}

/** Five minutes with MLflow's text store: 200 steps, an evaluation every 20, one gradient norm that is NaN, 18 other scalars. */
function writeWithCurves(folder) {
  const metrics = [];
  for (let second = 0; second < 300; ++second) {
    metrics.push(line("algo-1", "cpu", "cpu0", "CPUUtilization", 40 + (second % 20), second));
    metrics.push(line("algo-1", "gpu", "gpu0", "GPUUtilization", 80 + (second % 10), second));
    metrics.push(line("algo-1", "gpu", "gpu0", "GPUPowerWatts", 400 + second, second));
    metrics.push(line("algo-1", "gpu", "gpu0", "GPUTemperatureCelsius", 61, second));
  }
  put(folder, metricsFile, lines(metrics));
  const run = "mlruns/1/0123456789abcdef0123456789abcdef";
  const times = `start_time: ${start * 1000}\nend_time: ${(start + 300) * 1000}`;
  put(folder, `${run}/meta.yaml`, `run_id: 0123456789abcdef0123456789abcdef\nrun_name: curves\nstatus: 3\n${times}\n`);
  const log = (name, every, value) => {
    const rows = [];
    for (let step = every; step <= 200; step += every)
      rows.push(`${(start + 1.5 * step) * 1000} ${value(step)} ${step}`);
    put(folder, `${run}/metrics/${name}`, lines(rows));
  };
  log("train_loss", 1, (step) => 4 / Math.sqrt(step) + (step % 7) / 20);
  log("eval_loss", 20, (step) => 4.2 / Math.sqrt(step));
  log("learning_rate", 1, (step) => 5e-5 * (1 - step / 201));
  log("grad_norm", 1, (step) => (step === 150 ? "nan" : 1 + (step % 5) / 10));
  for (let layer = 0; layer < 12; ++layer) log(`weights/layer${layer}`, 10, (step) => layer + step / 200);
  for (const part of ["heads", "bias", "scale"]) log(`attention/${part}`, 10, (step) => Math.sin(step / 20));
  log("epoch", 10, (step) => Math.floor(step / 50));
  log("temperature", 10, (step) => 1 / step);
  log("seed", 10, () => 42); // never changes
  return folder;
}

/** @type {Record<string, { write: (folder: string) => string, options?: string[] }>} */
export const madeUpJobs = {
  hostile: { write: writeHostile },
  damaged: { write: writeDamaged, options: ["--job-start", "2025-01-21T11:10:00Z"] },
  "many-nodes": { write: writeManyNodes },
  "no-metrics": { write: writeNoMetrics },
  "with-curves": { write: writeWithCurves },
  "xgboost-binary": { write: writeBinary },
  "xgboost-multiclass": { write: writeMulticlass },
  "xgboost-regression": { write: writeRegression },
};
