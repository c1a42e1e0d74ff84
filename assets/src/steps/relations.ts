// What holds, launches and was launched by a slice.

import type { Names, Step } from "./decode";

/** The slice around another on its track; -1: none. */
export function parentOf(step: Step, slice: number): number {
  for (let at = slice - 1; at >= 0 && step.track[at] === step.track[slice]; --at)
    if (step.depths[at]! < step.depths[slice]! && step.ends[at]! >= step.ends[slice]!) return at;
  return -1;
}

/** The innermost operator around a slice; -1: none. */
export function operatorAround(step: Step, names: Names, slice: number): number {
  let at = parentOf(step, slice);
  while (at >= 0 && names.kinds[step.name[at]!] !== "operator") at = parentOf(step, at);
  return at;
}

/** What a slice, or a call within it, started on a GPU. */
export function launchedBy(step: Step, slice: number): number[] {
  const out: number[] = [];
  const [from, to, track] = [step.starts[slice]!, step.ends[slice]!, step.track[slice]];
  step.launch.forEach((call, at) => {
    if (call === call && step.track[call] === track && step.starts[call]! >= from && step.ends[call]! <= to)
      out.push(at);
  });
  return out;
}
