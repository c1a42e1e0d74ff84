// How long steps took, each at its start; outlying ones have a ring.

import { ChartPanel } from "./chart_panel";
import { seriesColor } from "./colors";
import { nodeOf } from "./contract";
import { paintDots, paintRings } from "./paint";
import type { Frame, Line } from "./paint";
import { quantile, sorted } from "./quantile";
import type { Series } from "./series";
import { niceCeiling } from "./ticks";
import type { View } from "./view";

const height = 140;

/** Where the longest step takes more than so many medians, the axis is logarithmic. */
const wide = 6;

function isWide(all: readonly Series[]): boolean {
  const longest = all.map(({ band, times }) => (band.query(0, times.length), band.high));
  const some = all.map(({ values }) => values.filter((_, at) => at % Math.ceil(values.length / 1000) === 0));
  return Math.max(...longest) > wide * quantile(sorted(some), 0.5);
}

const ringRule = "StepOutlier";

export class StepPanel extends ChartPanel {
  readonly unit = "s";
  private all: { node: string; line: Line }[] = [];

  constructor(live: HTMLElement, view: View) {
    super(live, view, height);
  }

  async load(): Promise<void> {
    const { index, samples, state } = this.view;
    if (!this.chart) {
      const all = await Promise.all(index.steps.map((steps) => samples.steps(steps)));
      this.all = all.map((series, at) => {
        const { process, mode } = index.steps[at]!;
        return {
          node: nodeOf(index, process),
          line: { name: `${process} ${mode}`, series, color: () => seriesColor(at), dashed: false },
        };
      });
      this.log = isWide(all);
    }
    const lines = this.all
      .filter(({ node }) => state.node === "" || node === "" || node === state.node)
      .map(({ line }) => line);
    const every = this.everyOf(lines);
    this.show(lines, [
      this.view.incidents.of(ringRule).length > 0 ? "Rings mark outliers." : "",
      this.log ? "The axis is logarithmic." : "",
      every > 1 ? `Each point stands for ${every} steps: mean, and a bar from min to max.` : "",
    ]);
  }

  extent(from: number, to: number): [number, number] {
    let [low, high] = [Infinity, 0];
    for (const { series } of this.lines) {
      series.band.query(series.indexAt(from), series.indexAt(to));
      if (series.band.low > 0) low = Math.min(low, series.band.low);
      if (series.band.high > 0) high = Math.max(high, series.band.high);
    }
    if (high === 0) return this.log ? [0.1, 1] : [0, 1];
    if (low === Infinity) low = high / 1000; // too short for the samples' precision
    return this.log ? [low / 1.3, high * 1.3] : [0, niceCeiling(high * 1.02)];
  }

  over(frame: Frame): void {
    paintDots(frame, this.lines);
    paintRings(
      frame,
      this.view.incidents.of(ringRule).map(({ from, to }) => ({ time: from, value: (to - from) / 1000 })),
    );
  }
}
