// What a chart of training curves embeds (src/render/parts/curve_chart.cpp), and what is computed from it.

/** Steps and milliseconds are differences from the value before; the first is from 0. */
export interface PackedCurve {
  name: string;
  steps: number[];
  milliseconds?: number[]; // after the job's start; absent where the tool logs no times
  values: (number | null)[]; // null: NaN or infinite
}

export interface PackedCurves {
  log: boolean;
  curves: PackedCurve[];
}

export interface Curve {
  name: string;
  steps: number[];
  times: number[] | null; // milliseconds after the job's start
  values: number[]; // NaN where it was NaN or infinite
}

export type Axis = "step" | "time";

function sums(differences: readonly number[]): number[] {
  let sum = 0;
  return differences.map((difference) => (sum += difference));
}

export function unpack({ curves }: PackedCurves): Curve[] {
  return curves.map(({ name, steps, milliseconds, values }) => ({
    name,
    steps: sums(steps),
    times: milliseconds ? sums(milliseconds) : null,
    values: values.map((value) => value ?? NaN),
  }));
}

/** Where a curve's points lie on an axis; null where the tool logged no times. */
export const positions = (curve: Curve, axis: Axis): number[] | null => (axis === "step" ? curve.steps : curve.times);

/**
 * TensorBoard's smoothing: an exponential moving average, corrected for its start at 0. A weight of 0 leaves values as they are.
 * Gaps stay gaps, and the average goes on after them.
 */
export function smooth(values: readonly number[], weight: number): number[] {
  let average = 0;
  let correction = 1;
  return values.map((value) => {
    if (!Number.isFinite(value)) return NaN;
    average = average * weight + (1 - weight) * value;
    correction *= weight;
    return average / (1 - correction);
  });
}

/** Least and greatest; null where there is none. */
export function extent(values: Iterable<number>): [number, number] | null {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? [low, high] : null;
}

/** The place of the point nearest to `at` in rising positions; -1 where there are none. */
export function nearest(sorted: readonly number[], at: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! <= at) low = middle;
    else high = middle;
  }
  if (high < 0) return -1;
  return Math.abs(sorted[high]! - at) < Math.abs(at - sorted[low]!) ? high : low;
}

/** A position on one axis as one on another, by the nearest points and between them in proportion; beyond them, the end's. */
export function translate(from: readonly number[], to: readonly number[], at: number): number {
  const last = from.length - 1;
  if (at <= from[0]!) return to[0]!;
  if (at >= from[last]!) return to[last]!;
  let after = 1;
  while (from[after]! < at) ++after;
  const span = from[after]! - from[after - 1]!;
  const share = span > 0 ? (at - from[after - 1]!) / span : 0;
  return to[after - 1]! + share * (to[after]! - to[after - 1]!);
}
