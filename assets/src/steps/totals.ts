// What happened between two moments of a step: time by name, most first.

import type { Names, Step } from "./decode";

export interface Total {
  name: string;
  kind: string;
  count: number;
  time: number; // nanoseconds within the range
}

/** Of CPU threads only what nothing in the range calls from, so that no moment of a thread counts twice. */
export function totalsOf(step: Step, names: Names, from: number, to: number): Total[] {
  const sums = new Map<number, Total>();
  const held = new Map<number, number>(); // until when, by track
  step.starts.forEach((start, at) => {
    const track = step.tracks[step.track[at]!];
    const time = Math.min(step.ends[at]!, to) - Math.max(start, from);
    const name = names.texts[step.name[at]!] ?? "";
    if (!track || track.other || time <= 0 || name.startsWith("ProfilerStep#")) return;
    if (!track.gpu) {
      if (start < (held.get(step.track[at]!) ?? -Infinity)) return;
      held.set(step.track[at]!, step.ends[at]!);
    }
    const sum = sums.get(step.name[at]!) ?? { name, kind: names.kinds[step.name[at]!] ?? "", count: 0, time: 0 };
    sum.count += 1;
    sum.time += time;
    sums.set(step.name[at]!, sum);
  });
  return Array.from(sums.values()).sort((a, b) => b.time - a.time);
}
