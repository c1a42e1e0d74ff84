// Where slices lie: a head and some levels for each track, one below the other. Slices of a level do not overlap.

import type { Step } from "./decode";

export const axisHeight = 20;
const headHeight = 18;
export const rowHeight = 15;
const gap = 6;

export interface Row {
  top: number;
  slices: number[]; // by time
}

export class Layout {
  readonly heads: { name: string; top: number }[] = [];
  readonly rows: Row[] = [];
  readonly height: number;
  private readonly rowOf: Uint32Array;
  private readonly firsts: number[];

  constructor(private readonly step: Step) {
    let y = axisHeight;
    this.firsts = step.tracks.map(({ name, depth }) => {
      const first = this.rows.length;
      this.heads.push({ name, top: y });
      y += headHeight;
      for (let level = 0; level < Math.max(1, depth); ++level, y += rowHeight) this.rows.push({ top: y, slices: [] });
      y += gap;
      return first;
    });
    this.height = y;
    this.rowOf = Uint32Array.from(step.starts, (_, at) => this.firsts[step.track[at]!]! + step.depths[at]!);
    this.rowOf.forEach((row, at) => this.rows[row]?.slices.push(at));
  }

  /** Of a track. */
  firstRow(track: number): Row | undefined {
    return this.rows[this.firsts[track] ?? -1];
  }

  row(slice: number): number {
    return this.rowOf[slice]!;
  }

  top(slice: number): number {
    return this.rows[this.row(slice)]?.top ?? 0;
  }

  /** The place in a row of the first slice that ends after a time. */
  after(row: Row, time: number): number {
    let [low, high] = [0, row.slices.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.step.ends[row.slices[middle]!]! > time) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  /** The slice of a row that is nearest to a time; undefined where it has none. */
  nearest(row: number, time: number): number | undefined {
    const one = this.rows[row];
    if (!one) return undefined;
    const place = this.after(one, time);
    const [before, after] = [one.slices[place - 1], one.slices[place]];
    if (before === undefined || after === undefined) return after ?? before;
    return Math.max(0, this.step.starts[after]! - time) <= time - this.step.ends[before]! ? after : before;
  }

  /** The slice at a place, or so close to it that it was meant; undefined where there is none. */
  hit(y: number, time: number, slack: number): number | undefined {
    const row = this.rows.findIndex(({ top }) => top <= y && y < top + rowHeight);
    const slice = this.nearest(row, time);
    if (slice === undefined) return undefined;
    return this.step.starts[slice]! - slack <= time && time <= this.step.ends[slice]! + slack ? slice : undefined;
  }
}
