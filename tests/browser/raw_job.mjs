// What a sample job's own files say, read without debrief, for comparing with what the page computes.

import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { repository } from "./helper.mjs";

/** The texts of all gzipped files below a folder of a sample job. */
function textsIn(job, folder) {
  const root = join(repository, "sample_jobs", job, "profiler-output", folder);
  return readdirSync(root, { recursive: true })
    .filter((name) => name.endsWith(".gz"))
    .map((name) => gunzipSync(readFileSync(join(root, name))).toString("utf8"));
}

/** Mean over the devices of a dimension at each moment: [milliseconds since the epoch, value], by time. */
export function moments(job, dimension) {
  const byTime = new Map();
  for (const line of textsIn(job, "system").join("\n").split("\n")) {
    if (!line.includes(`"${dimension}"`)) continue;
    const { Timestamp: time, Value: value } = JSON.parse(line);
    byTime.set(time, [...(byTime.get(time) ?? []), value]);
  }
  return [...byTime]
    .sort(([a], [b]) => a - b)
    .map(([time, values]) => [time * 1000, values.reduce((a, b) => a + b) / values.length]);
}

/** [start in milliseconds since the epoch, duration in seconds] of every step of a mode. */
export function steps(job, mode) {
  const found = [];
  for (const text of textsIn(job, "framework")) {
    const events = JSON.parse(text);
    const origin = events.find(({ args }) => args?.start_time_since_epoch_in_micros)?.args
      .start_time_since_epoch_in_micros;
    for (const { name, ph, ts, dur } of events)
      if (ph === "X" && name === `Step:ModeKeys.${mode}`) found.push([(origin + ts) / 1000, dur / 1e6]);
  }
  return found;
}

/** numpy.percentile, by its definition. */
export function percentile(values, percent) {
  const ordered = [...values].sort((a, b) => a - b);
  const place = (percent / 100) * (ordered.length - 1);
  const below = Math.floor(place);
  return ordered[below] * (1 - (place - below)) + (ordered[Math.ceil(place)] ?? 0) * (place - below);
}
