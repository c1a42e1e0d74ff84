// From the embedded block to steps.

import { unpack } from "../timeline/decode";
import type { PackedStep, PackedTrack, StepsIndex } from "./contract";

/** One step. Slices are numbered by track, then start, then longest first. */
export interface Step {
  packed: PackedStep;
  tracks: PackedTrack[];
  length: number; // of the step, in nanoseconds
  end: number; // of what is shown
  starts: Float64Array;
  ends: Float64Array;
  depths: Float64Array;
  track: Uint16Array; // of each slice
  name: Float64Array; // of each slice, in Names
  launch: Float64Array; // the slice that launched it; NaN: none, or it is not shown
  critical: Uint8Array; // 1: on the critical path
}

/** Names of slices; a name has one kind and one category. */
export interface Names {
  texts: string[];
  kinds: string[]; // of each name
  categories: string[]; // of each name; "other" for what is neither an operator nor work of a GPU
  labels: string[]; // what fits into a slice
}

/** "void at::native::f<…>(…)" is "f"; other names stay. */
export const labelOf = (name: string): string =>
  name.startsWith("void ")
    ? name
        .replace(/\(anonymous namespace\)/g, "")
        .replace(/[<(].*/s, "")
        .replace(/.*(::|void )/s, "") || name
    : name;

export function readNames(index: StepsIndex, bytes: Uint8Array): Names {
  const [offset, length] = index.names;
  const texts = new TextDecoder().decode(bytes.subarray(offset, offset + length)).split("\n");
  return {
    texts,
    labels: texts.map(labelOf),
    kinds: Array.from(unpack(bytes, index.kind_of_name), (kind) => index.kinds[kind] ?? ""),
    categories: Array.from(unpack(bytes, index.category_of_name), (number) => index.categories[number] ?? ""),
  };
}

export function readStep(packed: PackedStep, bytes: Uint8Array): Step {
  const starts = unpack(bytes, packed.starts).map((start) => start + packed.first);
  const durations = unpack(bytes, packed.durations);
  const launches = unpack(bytes, packed.launches);
  const track = new Uint16Array(starts.length);
  const launch = new Float64Array(starts.length).fill(NaN);
  const critical = new Uint8Array(starts.length);
  for (const slice of unpack(bytes, packed.critical)) critical[slice] = 1;
  let [at, onGpu] = [0, 0];
  packed.tracks.forEach(({ gpu, slices }, number) => {
    for (const end = at + slices; at < end; ++at) {
      track[at] = number;
      if (gpu) launch[at] = launches[onGpu++]!;
    }
  });
  return {
    packed,
    tracks: packed.tracks,
    starts,
    track,
    launch,
    critical,
    length: packed.length * 1000,
    end: packed.shown * 1000,
    ends: durations.map((duration, slice) => duration + starts[slice]!),
    depths: unpack(bytes, packed.depths),
    name: unpack(bytes, packed.names),
  };
}
