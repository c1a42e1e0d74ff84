// A panel with a chart: its legend above, its note below, incidents behind what it draws.

import { Chart } from "./chart";
import type { Content } from "./chart";
import { make } from "./dom";
import { listenToGestures } from "./gestures";
import { Legend } from "./legend";
import type { Frame, Line } from "./paint";
import { valueWords } from "./ticks";
import { hideTip, showTip } from "./tip";
import { circumstances, momentWords } from "./view";
import type { Panel, View } from "./view";

/** Lines of a panel whose values stand beside the pointer. */
const mostInWords = 3;

export abstract class ChartPanel implements Panel, Content {
  abstract readonly unit: string;
  log = false;
  protected lines: Line[] = [];
  protected chart?: Chart;
  private readonly legend = new Legend();
  private readonly note = make("p", "note");
  private readonly host = make("div", "chart");
  /** Whether it has the labels of the time axis, for all panels above it. */
  hasTimes = false;

  constructor(
    private readonly live: HTMLElement,
    protected readonly view: View,
    private readonly height: number,
  ) {
    this.note.hidden = true;
    live.append(this.legend.element, this.host, this.note);
  }

  abstract load(): Promise<void>;
  abstract extent(from: number, to: number): [number, number];
  abstract over(frame: Frame): void;

  /** Shows other lines, and what is to be said of them. */
  protected show(lines: Line[], notes: string[]): void {
    this.lines = lines;
    this.note.textContent = notes.filter(Boolean).join(" ");
    this.note.hidden = this.note.textContent === "";
    this.legend.show(lines, this.unit);
    if (this.chart) return this.chart.update();
    const height = this.height + (this.hasTimes ? 20 : 0);
    this.chart = new Chart(this.host, this.view.index.start, this.view.state, this, height, this.hasTimes);
    listenToGestures(this.chart.plot.over, this.view.state, this.chart.plot);
  }

  /** How many samples or steps a point stands for. */
  protected everyOf(lines: Line[]): number {
    return Math.max(1, ...lines.map(({ series }) => series.every));
  }

  draw(): void {
    this.chart?.update();
  }

  recolor(): void {
    this.legend.show(this.lines, this.unit);
    this.draw();
  }

  resize(): void {
    if (this.host.clientWidth > 0) this.chart?.resize(this.host.clientWidth);
  }

  under(frame: Frame): void {
    this.view.incidents.paint(frame);
  }

  point(time: number | null, value: number, hovered: boolean): void {
    this.legend.point(time, value);
    if (time === null || !hovered || !this.chart) return hideTip(this.host);
    const { left = 0, top = 0 } = this.chart.plot.cursor;
    const others = this.view.panels.flatMap((panel) => (panel === this ? [] : (panel.words?.(time) ?? [])));
    const words = [momentWords(this.view, time), ...others, ...circumstances(this.view, time)];
    showTip(this.host, left + this.chart.plot.over.offsetLeft, top, words, this.words(time));
  }

  follow(time: number | null): void {
    this.chart?.follow(time);
  }

  /** "GPU utilization: 45.2%"; of several lines the first few by name. */
  words(time: number): string {
    const values = this.lines.slice(0, mostInWords).map(({ name, series }) => {
      const value = valueWords(series.values[series.nearest(time)] ?? NaN, this.unit);
      return this.lines.length === 1 ? value : `${name} ${value}`;
    });
    const more = this.lines.length > mostInWords ? `, and ${this.lines.length - mostInWords} more` : "";
    return `${this.live.querySelector(".caption")?.textContent ?? ""}: ${values.join(", ")}${more}`;
  }
}
