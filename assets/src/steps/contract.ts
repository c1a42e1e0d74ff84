// What the page embeds of steps, as docs/page.md has it. Times are nanoseconds after the step's start but for `length`
// and `shown`, which are microseconds.

import type { Packed } from "../timeline/contract";

export interface PackedTrack {
  name: string;
  gpu: boolean;
  other: string; // the process that it is of; empty: the step's own
  depth: number;
  slices: number;
}

export interface PackedStep {
  which: string;
  process: string;
  step: number | null;
  length: number;
  shown: number;
  first: number;
  dropped: number;
  tracks: PackedTrack[];
  starts: Packed;
  durations: Packed;
  names: Packed;
  depths: Packed;
  launches: Packed;
  critical: Packed;
}

export interface StepsIndex {
  kinds: string[];
  views: PackedStep[];
  kind_of_name: Packed;
  categories: string[];
  category_of_name: Packed;
  names: [number, number];
}
