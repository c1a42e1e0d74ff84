// Samples over time, with the least and the greatest of blocks of them kept, so that drawing a stretch costs what its
// pixels cost, not what its samples cost.

/** Of single devices there are many, so theirs have less precision. */
export type Values = Float32Array | Float64Array;

/** How many values of a level make one of the next. */
const fan = 16;

/** Least and greatest of runs of values; NaN is no value. */
export class Pyramid {
  private readonly levels: { low: Values; high: Values }[] = [];
  /** What `query` found; NaN both where there was nothing. */
  low = NaN;
  high = NaN;

  constructor(low: Values, high: Values = low) {
    this.levels.push({ low, high });
    for (
      let below: { low: Values; high: Values } = { low, high };
      below.low.length > fan;
      below = this.levels[this.levels.length - 1]!
    ) {
      const count = Math.ceil(below.low.length / fan);
      const next = { low: new Float64Array(count).fill(NaN), high: new Float64Array(count).fill(NaN) };
      for (let at = 0; at < below.low.length; ++at) {
        const to = Math.floor(at / fan);
        const min = below.low[at]!;
        const max = below.high[at]!;
        if (!(min >= next.low[to]!) && !Number.isNaN(min)) next.low[to] = min;
        if (!(max <= next.high[to]!) && !Number.isNaN(max)) next.high[to] = max;
      }
      this.levels.push(next);
    }
  }

  private take(level: number, from: number, to: number): void {
    const { low, high } = this.levels[level]!;
    for (let at = from; at < to; ++at) {
      if (low[at]! < this.low || this.low !== this.low) this.low = low[at]!;
      if (high[at]! > this.high || this.high !== this.high) this.high = high[at]!;
    }
  }

  /** Leaves least and greatest of the values from `from` up to, not including, `to` in `low` and `high`. */
  query(from: number, to: number): void {
    this.low = this.high = NaN;
    to = Math.min(to, this.levels[0]!.low.length);
    for (let level = 0; from < to; ++level) {
      const first = Math.ceil(from / fan);
      const last = Math.floor(to / fan);
      if (level + 1 === this.levels.length || first >= last) return this.take(level, from, to);
      this.take(level, from, first * fan);
      this.take(level, last * fan, to);
      from = first;
      to = last;
    }
  }
}

export class Series {
  private valuePyramid?: Pyramid;
  private bandPyramid?: Pyramid;
  private gapLength?: number;

  /** `low` and `high` are there where a point stands for several samples (`every` above 1) or several nodes. */
  constructor(
    readonly times: Float64Array,
    readonly values: Values,
    readonly every = 1,
    readonly low?: Values,
    readonly high?: Values,
  ) {}

  get pyramid(): Pyramid {
    return (this.valuePyramid ??= new Pyramid(this.values));
  }

  /** Of the band around the values; of the values themselves where there is no band. */
  get band(): Pyramid {
    if (!this.low || !this.high) return this.pyramid;
    return (this.bandPyramid ??= new Pyramid(this.low, this.high));
  }

  /** Samples further apart than this have a hole between them: five usual intervals, and a second, as src/chart/reduce.h has it. */
  get gap(): number {
    if (this.gapLength === undefined) {
      const stride = Math.max(1, Math.floor(this.times.length / 500));
      const steps: number[] = [];
      for (let at = 1; at < this.times.length; at += stride) steps.push(this.times[at]! - this.times[at - 1]!);
      steps.sort((a, b) => a - b);
      this.gapLength = Math.max(1000, 5 * (steps[steps.length >> 1] ?? Infinity));
    }
    return this.gapLength;
  }

  /** The first sample at or after a time. */
  indexAt(time: number): number {
    let low = 0;
    for (let high = this.times.length; low < high;) {
      const middle = (low + high) >> 1;
      if (this.times[middle]! < time) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The sample nearest to a time, -1 where the next one is further away than a gap. */
  nearest(time: number): number {
    const after = this.indexAt(time);
    const distance = (at: number): number => Math.abs((this.times[at] ?? Infinity) - time);
    const at = distance(after - 1) <= distance(after) ? after - 1 : after;
    return distance(at) <= this.gap ? at : -1;
  }

  /** What there is of samples between two times, both included. */
  within(from: number, to: number): Values {
    const end = this.indexAt(to);
    return this.values.subarray(this.indexAt(from), this.times[end] === to ? this.indexAt(to + 1e-6) : end);
  }
}

/** Mean over several series with their least and greatest, on the grid of the densest. */
export function joined(all: Series[]): Series {
  const densest = all.reduce((a, b) => (b.times.length > a.times.length ? b : a));
  const times = densest.times;
  const values = new Float32Array(times.length).fill(NaN);
  const low = values.slice();
  const high = values.slice();
  for (let at = 0; at < times.length; ++at) {
    let sum = 0;
    let count = 0;
    for (const series of all) {
      const near = series.nearest(times[at]!);
      const value = series.values[near] ?? NaN;
      if (value !== value) continue;
      sum += value;
      ++count;
      const [least, greatest] = [series.low?.[near] ?? value, series.high?.[near] ?? value];
      if (!(least >= low[at]!)) low[at] = least;
      if (!(greatest <= high[at]!)) high[at] = greatest;
    }
    if (count > 0) values[at] = sum / count;
  }
  return new Series(times, values, densest.every, low, high);
}
