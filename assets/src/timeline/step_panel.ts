// How long steps took, each at its start; outlying ones have a ring.

import { Chart } from "./chart";
import type { Content } from "./chart";
import { seriesColour } from "./colours";
import { nodeOf } from "./contract";
import { make } from "./dom";
import { listenToGestures } from "./gestures";
import { Legend } from "./legend";
import { paintDots, paintRings } from "./paint";
import type { Frame, Line } from "./paint";
import { quantile, sorted } from "./quantile";
import type { Series } from "./series";
import { niceCeiling } from "./ticks";
import { hideTip, showTip } from "./tip";
import { circumstances, momentWords } from "./view";
import type { Panel, View } from "./view";

const height = 140;

/** Where the longest step takes more than so many medians, the axis is logarithmic. */
const wide = 6;

function isWide(all: readonly Series[]): boolean {
  const longest = all.map(({ band, times }) => (band.query(0, times.length), band.high));
  const some = all.map(({ values }) => values.filter((_, at) => at % Math.ceil(values.length / 1000) === 0));
  return Math.max(...longest) > wide * quantile(sorted(some), 0.5);
}

const ringRule = "StepOutlier";

export class StepPanel implements Panel, Content {
  readonly unit = "s";
  log = false;
  private all: { node: string; line: Line }[] = [];
  private lines: Line[] = [];
  private readonly legend = new Legend();
  private readonly host = make("div", "chart");
  private readonly note = make("p", "note");
  private chart?: Chart;

  constructor(
    live: HTMLElement,
    private readonly view: View,
  ) {
    this.note.hidden = true;
    live.append(this.legend.element, this.host, this.note);
  }

  async load(): Promise<void> {
    const { index, samples, state } = this.view;
    if (!this.chart) {
      const all = await Promise.all(index.steps.map((steps) => samples.steps(steps)));
      this.all = all.map((series, at) => {
        const { process, mode } = index.steps[at]!;
        return { node: nodeOf(index, process), line: { name: `${process} ${mode}`, series, colour: () => seriesColour(at), dashed: false } };
      });
      this.log = isWide(all);
    }
    this.lines = this.all.filter(({ node }) => state.node === "" || node === "" || node === state.node).map(({ line }) => line);
    this.tellNote();
    this.legend.show(this.lines, this.unit);
    if (!this.chart) {
      this.chart = new Chart(this.host, index.start, state, this, height);
      listenToGestures(this.chart.plot.over, state, this.chart.plot);
    } else this.chart.update();
  }

  private tellNote(): void {
    const every = Math.max(1, ...this.lines.map(({ series }) => series.every));
    const notes = [
      this.view.incidents.of(ringRule).length > 0 ? "Rings mark outlying steps." : "",
      this.log ? "The axis is logarithmic." : "",
      every > 1 ? `Each point stands for ${every} steps: their mean, and a bar from the shortest to the longest.` : "",
    ];
    this.note.textContent = notes.filter(Boolean).join(" ");
    this.note.hidden = this.note.textContent === "";
  }

  draw(): void {
    this.chart?.update();
  }

  recolour(): void {
    this.legend.show(this.lines, this.unit);
    this.draw();
  }

  resize(): void {
    this.chart?.resize(this.host.clientWidth);
  }

  extent(from: number, to: number): [number, number] {
    let [low, high] = [Infinity, 0];
    for (const { series } of this.lines) {
      series.band.query(series.indexAt(from), series.indexAt(to));
      if (series.band.low > 0) low = Math.min(low, series.band.low);
      if (series.band.high > 0) high = Math.max(high, series.band.high);
    }
    if (high === 0) return this.log ? [0.1, 1] : [0, 1];
    return this.log ? [low / 1.3, high * 1.3] : [0, niceCeiling(high * 1.02)];
  }

  under(frame: Frame): void {
    this.view.incidents.paint(frame);
  }

  over(frame: Frame): void {
    paintDots(frame, this.lines);
    paintRings(frame, this.view.incidents.of(ringRule).map(({ from, to }) => ({ time: from, value: (to - from) / 1000 })));
  }

  point(time: number | null, value: number, hovered: boolean): void {
    this.legend.point(time, value);
    if (time === null || !hovered || !this.chart) return hideTip(this.host);
    const { left = 0, top = 0 } = this.chart.plot.cursor;
    showTip(this.host, left + this.chart.plot.over.offsetLeft, top, [momentWords(this.view, time), ...circumstances(this.view, time)]);
  }
}
