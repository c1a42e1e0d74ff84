// XGBoost jobs as SageMaker Debugger's hook leaves them: tensors by round, each in a frame of its own.

import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

function put(job, path, content) {
  const full = join(job, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, content);
}

function maskedChecksum(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; ++bit) crc = (crc >>> 1) ^ (crc & 1 ? 0x82f63b78 : 0);
  }
  crc = ~crc >>> 0;
  const out = Buffer.alloc(4);
  out.writeUInt32LE((((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0);
  return out;
}

function varint(number) {
  const out = [];
  for (; number > 0x7f; number = Math.floor(number / 128)) out.push((number & 0x7f) | 0x80);
  return Buffer.from([...out, number]);
}

const field = (number, bytes) => Buffer.concat([Buffer.from([(number << 3) | 2]), varint(bytes.length), bytes]);

/** A tensor of numbers, or of one text. */
function frame(name, values, step) {
  const time = Buffer.alloc(8);
  time.writeDoubleLE(1737457754 + step);
  const isText = typeof values === "string";
  const shape = field(2, field(2, Buffer.concat([Buffer.from([8]), varint(isText ? 1 : values.length)])));
  const numbers = () =>
    Buffer.concat([Buffer.from([8, 1]), shape, field(4, Buffer.from(Float32Array.from(values).buffer))]);
  const tensor = isText ? Buffer.concat([shape, field(8, Buffer.from(values))]) : numbers();
  const value = field(1, Buffer.concat([field(1, Buffer.from(name)), field(8, tensor)]));
  const payload = Buffer.concat([Buffer.from([9]), time, Buffer.from([0x10]), varint(step), field(5, value)]);
  const length = Buffer.alloc(8);
  length.writeBigUInt64LE(BigInt(payload.length));
  // The hook writes a constant in place of the payload's checksum.
  return Buffer.concat([length, maskedChecksum(length), payload, Buffer.from([0xb3, 0xc0, 0x2d, 0x06])]);
}

/** `tensors`: round -> name -> values. */
function writeRounds(folder, rounds, tensors) {
  for (let step = 0; step < rounds; ++step) {
    const path = `events/${String(step).padStart(12, "0")}/${String(step).padStart(12, "0")}_worker_0.tfevents`;
    const frames = Object.entries(tensors(step)).map(([name, values]) => [name, frame(name, values, step)]);
    let at = 0;
    const payload = frames.map(([tensorname, bytes]) => {
      const entry = { tensorname, start_idx: at, length: bytes.length };
      at += bytes.length;
      return entry;
    });
    const meta = { mode: "GLOBAL", mode_step: step, event_file_name: path };
    put(folder, `debug-output/${path}`, Buffer.concat(frames.map(([, bytes]) => bytes)));
    put(
      folder,
      `debug-output/index/000000000/${String(step).padStart(12, "0")}_worker_0.json`,
      JSON.stringify({ meta, tensor_payload: payload }),
    );
  }
  const metrics = { tensor_names: [], include_regex: ["^[a-zA-Z]+-[a-zA-Z0-9]+$"] };
  put(
    folder,
    "debug-output/collections/000000000/worker_0_collections.json",
    JSON.stringify({ collections: { metrics } }),
  );
  return folder;
}

const rows = Array.from({ length: 300 }, (_, row) => row);
/** From 0 to 1, without a pattern that can be seen. */
const noise = (row, seed) => Math.abs(Math.sin(12.9898 * row + 78.233 * seed) * 43758.5453) % 1;
const features = ["age", "income", "</script><b>", "a feature whose name is longer than any axis has room for"];

function importance(step) {
  const out = {};
  for (const kind of ["weight", "gain", "cover", "total_gain", "total_cover"])
    features.forEach((name, at) => (out[`feature_importance/${kind}/${name}`] = [(at + 1 + noise(at, step)) / 12]));
  return out;
}

const losses = (metric, step) => ({
  [`train-${metric}`]: [0.7 / (step + 1)],
  [`validation-${metric}`]: [0.7 / (step + 1) + 0.05 + step / 200],
});

/** Two classes, of which one is rare. */
export function writeBinary(folder) {
  const labels = rows.map((row) => (row % 6 === 0 ? 1 : 0));
  return writeRounds(folder, 12, (step) => ({
    ...(step === 0 ? { "hyperparameters/objective": "binary:logistic" } : {}),
    labels,
    predictions: rows.map((row) => 0.6 * noise(row, 1) + (0.1 + step / 40) * labels[row]),
    ...losses("logloss", step),
    ...importance(step),
  }));
}

/** Nine classes: more than there are colors. */
export function writeMulticlass(folder) {
  const labels = rows.map((row) => row % 9);
  return writeRounds(folder, 8, (step) => ({
    ...(step === 0 ? { "hyperparameters/objective": "multi:softmax" } : {}),
    labels,
    predictions: rows.map((row) => (noise(row, step) < 0.5 + step / 20 ? labels[row] : (labels[row] + 1) % 9)),
    ...losses("mlogloss", step),
  }));
}

export function writeRegression(folder) {
  const labels = rows.map((row) => 50 * noise(row, 2) - 10);
  return writeRounds(folder, 10, (step) => ({
    ...(step === 0 ? { "hyperparameters/objective": "reg:squarederror" } : {}),
    labels,
    predictions: rows.map((row) => labels[row] * (0.5 + step / 20) + 4 * noise(row, step + 3) - 2),
    ...losses("rmse", step),
    ...importance(step),
  }));
}
