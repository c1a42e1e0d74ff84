// What every panel knows of: samples, state, incidents, and how to say a moment.

import { clockAfter, humanDuration } from "../format";
import type { Index } from "./contract";
import type { Incidents } from "./incidents";
import type { Samples } from "./samples";
import type { State } from "./state";
import { decimalsFor } from "./ticks";

export interface View {
  index: Index;
  samples: Samples;
  state: State;
  incidents: Incidents;
  /** From top to bottom. */
  panels: Panel[];
}

/** "11:09:20.5 UTC, 12.3 s after the start", as exact as what is in view needs. */
export function momentWords({ index, state }: View, time: number): string {
  const decimals = decimalsFor(state.to - state.from);
  return `${clockAfter(index.start, time, decimals)} UTC, ${humanDuration(Math.max(0, time) / 1000)} after the start`;
}

/** What else was going on: the phase, and the rules that held. */
export function circumstances({ index, incidents }: View, time: number): string[] {
  const phase = index.phases.find(([, from, to]) => from <= time && time <= to);
  return [...(phase ? [phase[0]] : []), ...incidents.at(time)];
}

/** Something in a figure of the page that follows the state. */
export interface Panel {
  /** Loads what it shows; draws when that is there. */
  load(): Promise<void>;
  draw(): void;
  resize(): void;
  /** Another panel is pointed at, or none. */
  follow?(time: number | null): void;
  /** What it has at a moment. */
  words?(time: number): string;
}
