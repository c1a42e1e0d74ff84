// When no GPU of the step's own process had anything to do, as src/render/parts/step_gaps.cpp finds it.

import type { Step } from "./decode";

/** Of the step's length; shorter ones are no gaps to speak of. */
const leastGap = 0.01;

export interface Gap {
  from: number; // nanoseconds after the step's start
  to: number;
}

/** By time; none for a step without GPU work. */
export function gapsOf(step: Step): Gap[] {
  const busy: Gap[] = [];
  step.starts.forEach((start, at) => {
    const track = step.tracks[step.track[at]!];
    const to = Math.min(step.ends[at]!, step.end);
    if (track?.gpu && !track.other && to > Math.max(start, 0)) busy.push({ from: Math.max(start, 0), to });
  });
  if (busy.length === 0) return [];
  busy.sort((a, b) => a.from - b.from);
  const gaps: Gap[] = [];
  let at = 0;
  for (const { from, to } of [...busy, { from: step.end, to: step.end }]) {
    if (from - at >= leastGap * step.length && from > at) gaps.push({ from: at, to: from });
    at = Math.max(at, to);
  }
  return gaps;
}
