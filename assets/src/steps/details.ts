// A slice in words.

import { fixed, grouped, humanDuration } from "../format";
import type { Names, Step } from "./decode";
import { launchedBy, operatorAround, parentOf } from "./relations";

/** Nanoseconds as "12,345.678 µs", exact, and in words where those are shorter. */
export function exact(nanoseconds: number): string {
  const [whole = "", decimals = ""] = fixed(Math.abs(nanoseconds) / 1000, 3).split(".");
  const text = `${nanoseconds < 0 ? "−" : ""}${grouped(Number(whole))}.${decimals} µs`;
  return Math.abs(nanoseconds) < 1e6 ? text : `${text} (${humanDuration(nanoseconds / 1e9)})`;
}

const sum = (step: Step, slices: readonly number[]): number =>
  slices.reduce((all, at) => all + step.ends[at]! - step.starts[at]!, 0);

/** Names and values, in the order in which they are read. */
export function detailsOf(step: Step, names: Names, slice: number): [string, string][] {
  const text = (at: number): string => names.texts[step.name[at]!] ?? "";
  const track = step.tracks[step.track[slice]!];
  const out: [string, string][] = [
    ["Kind", names.kinds[step.name[slice]!] ?? ""],
    ["Duration", exact(step.ends[slice]! - step.starts[slice]!)],
    ["Start", `${exact(step.starts[slice]!)} after the step's start`],
    ["Track", track?.name ?? ""],
  ];
  if (step.critical[slice]) out.push(["Critical path", "the step waits for it"]);
  const call = step.launch[slice]!;
  if (call === call) {
    const op = operatorAround(step, names, call);
    const delay = step.starts[slice]! - step.ends[call]!;
    out.push([
      "Launched by",
      `${op < 0 ? "" : `${text(op)}, through `}${text(call)} on ${step.tracks[step.track[call]!]?.name ?? ""}`,
    ]);
    out.push([
      "Delay",
      delay < 0 ? `began ${exact(-delay)} before that call returned` : `${exact(delay)} after that call returned`,
    ]);
  } else if (track?.gpu) {
    out.push(["Launched by", "a call that is not in this view"]);
  } else {
    const around = parentOf(step, slice);
    const launched = launchedBy(step, slice);
    if (around >= 0) out.push(["Within", text(around)]);
    if (launched.length === 1) out.push(["Launched", `${text(launched[0]!)}, ${exact(sum(step, launched))}`]);
    if (launched.length > 1)
      out.push(["Launched", `${grouped(launched.length)} slices on the GPU, total ${exact(sum(step, launched))}`]);
  }
  return out;
}
